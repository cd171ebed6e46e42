import Foundation
import HTTPRules

/// Headers as text. Secret values are redacted.
package struct LoggedHeaders: CustomStringConvertible {
    private let headers: [(name: String, value: String)]

    package init(_ headers: [AnyHashable: Any]) {
        self.headers = headers.map { (String(describing: $0.key), String(describing: $0.value)) }
    }

    package var description: String {
        let secret = SiestaLog.allRedactedHeaders
        return
            headers
            .sorted { $0.name < $1.name }
            .map { "\(PreparedText.line($0.name, limit: 100)): \(Self.value($0, secret))" }
            .joined(separator: ", ")
    }

    private static func value(_ header: (name: String, value: String), _ secret: Set<String>) -> String {
        if SecretHeaders.include(header.name, among: secret) { return SecretHeaders.mark }
        let isURL = ["location", "content-location", "referer"].contains(header.name.lowercased())
        return isURL ? PreparedText.url(header.value) : PreparedText.line(header.value, limit: 300)
    }
}
