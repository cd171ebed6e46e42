package import Foundation
import HTTPRules
package import SiestaCore

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// An authenticator that sends a token; see `bearer(…)` of ``StandardAuthenticator``.
package struct BearerToken: Authenticator {
    /// The store that keeps the token after the process ends.
    package let credentials: any CredentialStore
    /// The number of seconds before expiration at which a token is refreshed.
    package let leeway: TimeInterval
    /// The maximum number of refreshes in a period.
    package let refreshLimit: RefreshLimit
    private let refusal: (@Sendable (AuthenticatedResponse) -> Bool)?
    private let refreshing: (@Sendable @concurrent (Credential, AuthenticationNetwork) async throws -> Credential)?

    package init(
        credentials: any CredentialStore = .memory, leeway: TimeInterval = 30, refreshLimit: RefreshLimit = .standard,
        refresh: (@Sendable @concurrent (Credential, AuthenticationNetwork) async throws -> Credential)? = nil,
        isRefusal: (@Sendable (AuthenticatedResponse) -> Bool)? = nil
    ) {
        (self.credentials, self.leeway) = (credentials, max(0, leeway))
        self.refreshLimit = refreshLimit
        (refusal, refreshing) = (isRefusal, refresh)
    }

    /// Sets the field `Authorization`. Does not change a request that already has the field. Does nothing if the token
    /// contains a control character.
    package func apply(_ credential: Credential, to request: inout URLRequest) {
        request.addCredential("Bearer " + credential.secret, as: "Authorization")
    }

    /// Accepts a token that is not empty and contains no control character such as a line break.
    ///
    /// - Throws: ``RequestError/Code/invalidCredential``.
    package func validate(_ credential: Credential) throws(RequestError) {
        try TokenSyntax.check(credential.secret)
    }

    /// Calls the `isRefusal` closure of the initializer. Without a closure, returns true for status 401.
    package func isRefusal(_ response: AuthenticatedResponse) -> Bool { refusal?(response) ?? (response.status == 401) }

    /// Returns true if a `refresh` closure was passed to the initializer.
    package func canRefresh(_ credential: Credential) -> Bool { refreshing != nil }

    /// Calls the `refresh` closure of the initializer.
    ///
    /// - Throws: The error of the closure. ``SessionExpired`` if there is no closure, or if the error is a
    ///   ``RequestError`` with status 401: the server has then refused the refresh token.
    package func refresh(_ credential: Credential, over network: AuthenticationNetwork) async throws -> Credential {
        guard let refreshing else { throw SessionExpired() }
        do {
            return try await refreshing(credential, network)
        } catch let error as RequestError where error.httpStatusCode == 401 {
            throw SessionExpired(reason: error.userMessage)
        }
    }
}

/// The rule for tokens and keys that a header field can carry. Pure.
enum TokenSyntax {
    /// - Throws: ``RequestError/Code/invalidCredential`` if the token is empty or contains a control character.
    static func check(_ token: String) throws(RequestError) {
        guard !token.isEmpty else { throw .invalidCredential("it is empty") }
        guard HeaderSyntax.isValue(token) else {
            throw .invalidCredential("it contains a control character, such as a line break")
        }
    }
}
