import EmbeddedGitHub
package import Foundation
package import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension GitHubAPI {
    /// The OAuth 2.0 server at which users sign in.
    package struct Authorization: Sendable {
        package let oauth: OAuth2
        /// The authorization endpoint, which an app opens in a browser.
        package let url: URL
        /// The URL at which the browser leads back to the app.
        package let redirectURL: URL
    }

    /// Obtains a credential of a user.
    ///
    /// An app would open ``OAuth2/AuthorizationFlow/url`` in a browser, where the user logs in. The embedded server has
    /// no page to log in: it redirects at once.
    package func credential(of login: String) async throws -> Credential {
        guard let authorization else { throw URLError(.userAuthenticationRequired) }
        let flow = authorization.oauth.authorizationFlow(
            authorizationURL: authorization.url, redirectURL: authorization.redirectURL, parameters: ["login": login])
        let page = try await authenticationNetwork.send(URLRequest(url: flow.url))
        guard let callback = page.header("Location").flatMap(URL.init(string:)) else {
            throw URLError(.badServerResponse)
        }
        return try await flow.credential(from: callback, over: authenticationNetwork)
    }

    /// Returns a name for the unknown owner of a token, without telling the token.
    package nonisolated static func principal(of token: String) -> String {
        String(token.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 36)
    }
}

extension GitHubAPI.Authorization {
    /// The OAuth 2.0 server inside the process.
    ///
    /// - Parameter baseURL: The base URL of the server, which need not run.
    package init?(embeddedAt baseURL: URL) {
        guard let redirectURL = URL(string: EmbeddedGitHub.redirectURL) else { return nil }
        oauth = OAuth2(tokenURL: EmbeddedGitHub.tokenURL(at: baseURL), clientID: EmbeddedGitHub.clientID)
        (url, self.redirectURL) = (EmbeddedGitHub.authorizationURL(at: baseURL), redirectURL)
    }
}

/// The token of the command line, with which the user is signed in from the start. The next start has its own.
struct CommandLineToken: CredentialStore {
    let token: String?

    func load() -> StoredCredential? {
        token.map { StoredCredential(principal: GitHubAPI.principal(of: $0), credential: Credential($0)) }
    }

    func save(_ stored: StoredCredential?) {}
}
