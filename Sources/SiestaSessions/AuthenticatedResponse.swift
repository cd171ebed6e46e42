public import Foundation
import HTTPRules
import SiestaCore

/// A response as an ``Authenticator`` sees it: to a request that carried its credential, or to a request that it has sent
/// with ``AuthenticationNetwork/send(_:)``.
///
/// Its texts contain neither the body nor a header, because both may contain tokens.
public struct AuthenticatedResponse: Sendable {
    /// The status code.
    public let status: Int

    /// The body as it was received. Empty if there is no body, or if it is not in memory, for example during a download.
    public var body: Data { secrets.value.body }

    private let secrets: Hidden<(fields: HeaderFields, body: Data)>

    init(_ head: NetworkResponse.Head, body: Data?) {
        (status, secrets) = (head.status, Hidden((head.fields, body ?? Data())))
    }

    /// Returns the value of a header field. The name is case-insensitive. Repeated fields are joined by commas.
    public func header(_ name: String) -> String? { secrets.value.fields[name.lowercased()] }
}
