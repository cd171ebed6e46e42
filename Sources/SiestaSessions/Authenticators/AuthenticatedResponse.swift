public import Foundation
import HTTPRules
import SiestaCore

/// The response to a request that carried a credential, or to a request that an ``Authenticator`` sent with
/// ``AuthenticationNetwork/send(_:)``.
///
/// The textual description of a response shows neither the body nor a header, because both may contain tokens.
public struct AuthenticatedResponse: Sendable {
    /// The HTTP status code.
    public let status: Int

    /// The body as it was received. The value is empty if there is no body, or if the body is not in memory, for
    /// example during a download.
    public var body: Data { secrets.value.body }

    private let secrets: Hidden<(fields: HeaderFields, body: Data)>

    init(_ head: NetworkResponse.Head, body: Data?) {
        (status, secrets) = (head.status, Hidden((head.fields, body ?? Data())))
    }

    /// Returns the value of a header field; nil if the response does not contain the field. The name is
    /// case-insensitive. The values of repeated fields are joined by commas.
    public func header(_ name: String) -> String? { secrets.value.fields[name.lowercased()] }
}
