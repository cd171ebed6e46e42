public import Foundation
import HTTPRules
public import SiestaCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// An authenticator that sends a token in the field `Authorization: Bearer …` (RFC 6750).
///
/// For tokens of an OAuth 2.0 server, use ``OAuth2``, which also refreshes them. To refresh tokens in another way, pass
/// a closure. Without a closure, the token cannot be renewed: if the server refuses the token, the session expires.
public struct BearerToken: Authenticator {
    /// The store that keeps the token after the process ends.
    public let credentials: any CredentialStore
    /// The number of seconds before expiration at which a token is refreshed.
    public let leeway: TimeInterval
    /// The maximum number of refreshes in a period.
    public let refreshLimit: RefreshLimit
    private let refusal: (@Sendable (AuthenticatedResponse) -> Bool)?
    private let refreshing: (@Sendable @concurrent (Credential, AuthenticationNetwork) async throws -> Credential)?

    /// Creates an authenticator for tokens.
    ///
    /// - Parameters:
    ///   - credentials: The store that keeps the token after the process ends. The default store keeps nothing.
    ///   - leeway: The number of seconds before expiration at which a token is refreshed. The default is 30. A negative
    ///     value counts as 0.
    ///   - refreshLimit: The maximum number of refreshes in a period. The default is 5 in 30 seconds.
    ///   - refresh: Returns a new token for an old one; see ``Authenticator/refresh(_:over:)``. The closure runs off
    ///     the main actor, and must end when its task is cancelled. The default is nil: when the server refuses the
    ///     token, the user must sign in again.
    ///   - isRefusal: Returns true if a response means that the server has refused the token. By default, status 401 is
    ///     a refusal. Any thread may call the closure.
    public init(
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
    public func apply(_ credential: Credential, to request: inout URLRequest) {
        request.addCredential("Bearer \(credential.secret)", as: "Authorization")
    }

    /// Accepts a token that is not empty and contains no control character such as a line break.
    ///
    /// - Throws: ``RequestError/Code/invalidCredential``.
    public func validate(_ credential: Credential) throws(RequestError) {
        try TokenSyntax.check(credential.secret)
    }

    /// Calls the `isRefusal` closure of the initializer. Without a closure, returns true for status 401.
    public func isRefusal(_ response: AuthenticatedResponse) -> Bool { refusal?(response) ?? (response.status == 401) }

    /// Returns true if a `refresh` closure was passed to the initializer.
    public func canRefresh(_ credential: Credential) -> Bool { refreshing != nil }

    /// Calls the `refresh` closure of the initializer.
    ///
    /// - Throws: The error of the closure, or ``SessionExpired`` if there is no closure.
    public func refresh(_ credential: Credential, over network: AuthenticationNetwork) async throws -> Credential {
        guard let refreshing else { throw SessionExpired() }
        return try await refreshing(credential, network)
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
