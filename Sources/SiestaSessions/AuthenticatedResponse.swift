public import Foundation
import HTTPRules
import SiestaCore

/// A response to a request that carried a credential.
public struct AuthenticatedResponse: Sendable {
    /// The status code.
    public let status: Int

    /// The body as it was received; nil if the body is not in memory.
    public let body: Data?

    private let fields: HeaderFields

    init(_ head: NetworkResponse.Head, body: Data?) {
        (status, fields, self.body) = (head.status, head.fields, body)
    }

    /// Returns the value of a header field. The name is case-insensitive. Repeated fields are joined by commas.
    public func header(_ name: String) -> String? { fields[name.lowercased()] }
}

extension AuthenticatedResponse: CustomStringConvertible, CustomReflectable {
    /// The status code and the size of the body, without any part of the body or of a header.
    public var description: String { "HTTP \(status), \(body?.count ?? 0) bytes" }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
