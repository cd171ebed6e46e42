import Foundation
import SiestaCore
package import SiestaWriting

extension Outbox.Entry {
    /// An entry as the rules accept it.
    package static func stored(
        _ number: UInt64, principal: String? = nil, scope: String = "scope", body: Outbox.Body = .none
    ) -> Outbox.Entry {
        var entry = Outbox.Entry(
            id: "entry \(number)", scope: scope, principal: principal,
            creationTime: Date(timeIntervalSinceReferenceDate: 800_000_000),
            request: Outbox.StoredRequest(
                method: "PATCH", address: .url("https://api.test/items/\(number)"), headers: ["X-Trace": "\(number)"],
                contentType: "application/json", body: body, precondition: Outbox.Condition(ifMatch: "\"\(number)\""))
        )
        entry.number = number
        return entry
    }

    package func with(_ state: State) -> Outbox.Entry {
        var entry = self
        entry.state = state
        return entry
    }
}
