import Foundation
import SiestaCore
package import SiestaWriting

extension OutboxEntry {
    /// An entry as the rules accept it.
    package static func stored(
        _ number: UInt64, principal: String? = nil, scope: String = "scope", body: OutboxBody = .none
    ) -> OutboxEntry {
        var entry = OutboxEntry(
            id: "entry \(number)", scope: scope, principal: principal,
            creationTime: Date(timeIntervalSinceReferenceDate: 800_000_000),
            request: OutboxRequest(
                method: "PATCH", address: .url("https://api.test/items/\(number)"), headers: ["X-Trace": "\(number)"],
                contentType: "application/json", body: body, precondition: OutboxPrecondition(ifMatch: "\"\(number)\""))
        )
        entry.number = number
        return entry
    }

    package func with(_ state: State) -> OutboxEntry {
        var entry = self
        entry.state = state
        return entry
    }
}
