public import Foundation
import HTTPRules
import SiestaCore

/// A response that an ``Authenticator`` reads: to a request that carried a credential, or to a request for a credential.
///
/// Its texts contain neither the body nor a header, because both may contain tokens.
public struct AuthenticatedResponse: Sendable {
    /// The status code.
    public let status: Int

    /// The body as it was received; empty if there is none, or if it is not in memory.
    public var body: Data { secrets.value.body }

    private let secrets: Hidden<(fields: HeaderFields, body: Data)>

    init(_ head: NetworkResponse.Head, body: Data?) {
        (status, secrets) = (head.status, Hidden((head.fields, body ?? Data())))
    }

    /// Returns the value of a header field. The name is case-insensitive. Repeated fields are joined by commas.
    public func header(_ name: String) -> String? { secrets.value.fields[name.lowercased()] }
}
