public import Foundation
import HTTPRules
import SiestaCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// An authentication with a token in the field `Authorization: Bearer …` (RFC 6750).
///
/// For tokens of an OAuth 2.0 server, use ``OAuth2``, which also refreshes them. For another way to refresh tokens, pass
/// a closure. Without a closure, nothing renews the token: if the server refuses it, the session expires.
public struct BearerToken: Authenticator {
    /// The store that keeps the token when the process ends.
    public let credentials: any CredentialStore
    /// The time before the expiration at which a token is refreshed, in seconds.
    public let leeway: TimeInterval
    /// The maximum number of refreshes in a period.
    public let refreshLimit: RefreshLimit
    private let refusal: (@Sendable (AuthenticatedResponse) -> Bool)?
    private let refreshing: (@Sendable @concurrent (Credential, AuthenticationNetwork) async throws -> Credential)?

    /// Creates an authentication with tokens.
    ///
    /// - Parameters:
    ///   - credentials: The store that keeps the token when the process ends. The default keeps nothing.
    ///   - leeway: The time before the expiration at which a token is refreshed, in seconds. The default is 30. A
    ///     negative value counts as 0.
    ///   - refreshLimit: The maximum number of refreshes in a period. The default is 5 in 30 seconds.
    ///   - refresh: Returns a new token for an old one; see ``Authenticator/refresh(_:over:)``. The default is nil: when
    ///     the server refuses the token, the user must sign in again. It runs off the main actor. It must end when its
    ///     task is cancelled.
    ///   - isRefusal: Returns true if a response means that the server has refused the token. The default is the status
    ///     401. Any thread may call it.
    public init(
        credentials: any CredentialStore = .memory, leeway: TimeInterval = 30, refreshLimit: RefreshLimit = .standard,
        refresh: (@Sendable @concurrent (Credential, AuthenticationNetwork) async throws -> Credential)? = nil,
        isRefusal: (@Sendable (AuthenticatedResponse) -> Bool)? = nil
    ) {
        (self.credentials, self.leeway) = (credentials, max(0, leeway))
        self.refreshLimit = refreshLimit
        (refusal, refreshing) = (isRefusal, refresh)
    }

    /// Sets the field `Authorization`, unless the request already has it, or the token contains a control character.
    public func apply(_ credential: Credential, to request: inout URLRequest) {
        request.addCredential("Bearer \(credential.secret)", as: "Authorization")
    }

    /// Accepts a token that is not empty and contains no control character such as a line break.
    public func validate(_ credential: Credential) throws {
        try TokenSyntax.check(credential.secret)
    }

    /// Calls the closure of the initializer. By default, returns true for the status 401.
    public func isRefusal(_ response: AuthenticatedResponse) -> Bool { refusal?(response) ?? (response.status == 401) }

    /// True if the initializer received a closure that refreshes.
    public func canRefresh(_ credential: Credential) -> Bool { refreshing != nil }

    /// Calls the closure of the initializer.
    ///
    /// - Throws: The error of the closure; ``SessionExpired`` if there is no closure.
    public func refresh(_ credential: Credential, over network: AuthenticationNetwork) async throws -> Credential {
        guard let refreshing else { throw SessionExpired() }
        return try await refreshing(credential, network)
    }
}

extension BearerToken: CustomStringConvertible, CustomReflectable {
    /// The name of the type.
    public var description: String { "BearerToken" }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The rule for tokens and keys that a header field can carry. Pure.
enum TokenSyntax {
    /// - Throws: ``RequestError/Code/invalidCredential`` if the token is empty or contains a control character.
    static func check(_ token: String) throws {
        guard !token.isEmpty else { throw RequestError.Failure(.invalidCredential, reason: "it is empty") }
        guard HeaderSyntax.isValue(token) else {
            throw RequestError.Failure(
                .invalidCredential, reason: "it contains a control character, such as a line break")
        }
    }
}
