public import Foundation
import HTTPRules
import SiestaCore

/// A response as an ``Authenticator`` sees it: to a request that carried its credential, or to a request that it has sent
/// with ``AuthenticationNetwork/send(_:)``.
public struct AuthenticatedResponse: Sendable {
    /// The status code.
    public let status: Int

    /// The body as it was received. Empty if there is no body, or if it is not in memory, for example during a download.
    public let body: Data

    private let fields: HeaderFields

    init(_ head: NetworkResponse.Head, body: Data?) {
        (status, fields, self.body) = (head.status, head.fields, body ?? Data())
    }

    /// Returns the value of a header field. The name is case-insensitive. Repeated fields are joined by commas.
    public func header(_ name: String) -> String? { fields[name.lowercased()] }
}

extension AuthenticatedResponse: CustomStringConvertible, CustomReflectable {
    /// The status code and the size of the body. The text omits the body and the headers, because they may contain tokens.
    public var description: String { "HTTP \(status), \(body.count) bytes" }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
