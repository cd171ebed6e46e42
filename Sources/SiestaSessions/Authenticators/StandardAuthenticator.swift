public import Foundation
import SiestaCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// An authenticator that is part of the library.
///
/// The static functions create authenticators for tokens, passwords and keys:
///
/// ```swift
/// service.authenticate(with: .bearer(credentials: .file(at: file)))
/// ```
///
/// ``OAuth2`` is a separate type, because it has additional functions.
public struct StandardAuthenticator: Authenticator {
    let base: any Authenticator

    public var credentialHeaders: Set<String> { base.credentialHeaders }

    public var leeway: TimeInterval { base.leeway }

    public var refreshLimit: RefreshLimit { base.refreshLimit }

    public var credentials: any CredentialStore { base.credentials }

    public func apply(_ credential: Credential, to request: inout URLRequest) { base.apply(credential, to: &request) }

    public func validate(_ credential: Credential) throws { try base.validate(credential) }

    public func isRefusal(_ response: AuthenticatedResponse) -> Bool { base.isRefusal(response) }

    public func expires(_ credential: Credential, by date: Date) -> Bool { base.expires(credential, by: date) }

    public func canRefresh(_ credential: Credential) -> Bool { base.canRefresh(credential) }

    public func refresh(_ credential: Credential, over network: AuthenticationNetwork) async throws -> Credential {
        try await base.refresh(credential, over: network)
    }

    public func revoke(_ credential: Credential, over network: AuthenticationNetwork) async {
        await base.revoke(credential, over: network)
    }
}

extension Authenticator where Self == StandardAuthenticator {
    /// Returns an authenticator that sends a token in the field `Authorization: Bearer …` (RFC 6750).
    ///
    /// For tokens of an OAuth 2.0 server, use ``OAuth2``, which also refreshes them. To refresh tokens in another way,
    /// pass a `refresh` closure. Without this closure, the token cannot be renewed: if the server refuses the token,
    /// the session expires. A token must not be empty, and must not contain a control character such as a line break.
    ///
    /// - Parameters:
    ///   - credentials: The store for the token. By default, the token is lost when the process ends.
    ///   - leeway: The number of seconds before expiration at which a token is refreshed. The default is 30. A negative
    ///     value counts as 0.
    ///   - refreshLimit: The maximum number of refreshes in a period. The default is 5 in 30 seconds.
    ///   - refresh: A closure that receives the old credential and returns a new one; see
    ///     ``Authenticator/refresh(_:over:)``. The session expires if the closure throws ``SessionExpired``, or a
    ///     ``RequestError`` with status 401. After any other error, the user stays signed in. The closure runs off the
    ///     main actor, and must return or throw when its task is cancelled. The default is nil: when the server refuses
    ///     the token, the user must sign in again.
    ///   - isRefusal: A closure that returns true if a response means that the server has refused the token. It may be
    ///     called on any thread. The default is nil: status 401 is a refusal.
    public static func bearer(
        credentials: any CredentialStore = .memory, leeway: TimeInterval = 30, refreshLimit: RefreshLimit = .standard,
        refresh: (@Sendable @concurrent (Credential, AuthenticationNetwork) async throws -> Credential)? = nil,
        isRefusal: (@Sendable (AuthenticatedResponse) -> Bool)? = nil
    ) -> Self {
        Self(
            base: BearerToken(
                credentials: credentials, leeway: leeway, refreshLimit: refreshLimit, refresh: refresh,
                isRefusal: isRefusal))
    }

    /// Returns an authenticator that sends a user name and a password as UTF-8 in the field `Authorization: Basic …`
    /// (RFC 7617).
    ///
    /// Each request contains the password, encoded but not encrypted. Therefore, use Basic authentication only with
    /// HTTPS. The credential cannot be refreshed. If the server refuses the credential, the session expires.
    ///
    /// The user name must not contain a colon. Neither the user name nor the password may contain a control character
    /// (RFC 7617 §2). If a credential breaks these rules, the sign-in fails. If the store contains such a credential,
    /// requests are sent without the field `Authorization`.
    ///
    /// - Parameter credentials: The store for the password. By default, the password is lost when the process ends.
    public static func basic(credentials: any CredentialStore = .memory) -> Self {
        Self(base: BasicAuthentication(credentials: credentials))
    }

    /// Returns an authenticator that proves knowledge of a password without sending the password (HTTP Digest, RFC
    /// 7616).
    ///
    /// Each request contains a proof that is computed from the password and from a value that the server has sent. Sign
    /// in with a user name and a password:
    ///
    /// ```swift
    /// printer.authenticate(with: .digest())
    /// try await printer.signIn("ada", with: Credential(user: "ada", password: password))
    /// ```
    ///
    /// The networking provider computes the proof when the server asks for it. libcurl and, on Apple platforms, a
    /// `URLSessionConfiguration` support this. libcurl sends each request twice, because the server's value is in the
    /// response to the first one. Custom providers and `URLSession` on Linux cannot compute the proof. With such a
    /// provider, requests fail with status 401, and the session expires.
    ///
    /// The credential cannot be refreshed. If the server refuses the credential, the session expires. Neither the user
    /// name nor the password may contain a control character.
    ///
    /// - Parameter credentials: The store for the password. By default, the password is lost when the process ends.
    public static func digest(credentials: any CredentialStore = .memory) -> Self {
        Self(base: DigestAuthentication(credentials: credentials))
    }

    /// Returns an authenticator that sends a key in a header field, and hides the value of this field in the logs of the
    /// whole process.
    ///
    /// If a request already has this field, the field does not change. A key cannot be refreshed. If the server refuses
    /// the key, the session expires.
    ///
    /// - Parameters:
    ///   - name: The name of the field. If it is not a valid field name (RFC 9110 §5.1), the sign-in fails, and
    ///     requests do not carry the key.
    ///   - credentials: The store for the key. By default, the key is lost when the process ends.
    public static func apiKey(header name: String, credentials: any CredentialStore = .memory) -> Self {
        Self(base: APIKey(.header(name), credentials: credentials))
    }

    /// Returns an authenticator that sends a key in a query item, and hides the value of this item in the logs of the
    /// whole process.
    ///
    /// If the server allows it, prefer a header field, because servers and proxies write URLs to their logs. If a
    /// request already has a query item with this name, the key replaces the value of the item. A key cannot be
    /// refreshed. If the server refuses the key, the session expires.
    ///
    /// - Parameters:
    ///   - name: The name of the query item.
    ///   - credentials: The store for the key. By default, the key is lost when the process ends.
    public static func apiKey(query name: String, credentials: any CredentialStore = .memory) -> Self {
        Self(base: APIKey(.query(name), credentials: credentials))
    }
}
