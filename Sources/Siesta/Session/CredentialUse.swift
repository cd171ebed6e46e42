import Foundation
import HTTPRules

/// The facts that decide whether a response to one request refuses the credential that the request carried.
struct CredentialUse: Sendable {
    let authenticator: any Authenticator
    let scope: SecretScope
    /// The URL of the request.
    let url: URL?

    /// Returns true if the provider has received a response, and it means that the server has refused the credential.
    ///
    /// The response of another server, after a redirect that has removed the credential, means nothing.
    func isRefused(by response: NetworkResponse) -> Bool {
        guard let head = response.head else { return false }
        if let end = head.url, let url, end != url, !scope.keepsSecrets(from: url, to: end) { return false }
        return authenticator.isRefusal(AuthenticatedResponse(head, body: response.body))
    }
}
