public import Foundation
import SiestaCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A scheme for authenticating requests.
///
/// An authenticator adds a credential to requests, recognizes responses that refuse the credential, and renews the
/// credential. The library contains ``OAuth2`` and the authenticators of ``StandardAuthenticator``.
///
/// All synchronous functions must return quickly, because threads that send requests may call them. An authenticator
/// does not hold the credential: a ``UserSession`` passes the current credential to each function.
///
/// ## Custom authenticators
///
/// Only ``apply(_:to:)`` is required. This authenticator sends the credential in a company's own header:
///
/// ```swift
/// nonisolated struct CompanyHeader: Authenticator {
///     let credentials: any CredentialStore
///
///     let credentialHeaders: Set<String> = ["X-Company-Session"]
///
///     func apply(_ credential: Credential, to request: inout URLRequest) {
///         request.setValue(credential.secret, forHTTPHeaderField: "X-Company-Session")
///     }
///
///     func isRefusal(_ response: AuthenticatedResponse) -> Bool {
///         response.status == 403 && response.header("X-Reason") == "session"
///     }
/// }
/// ```
///
/// List the fields that contain the credential in ``credentialHeaders``, so that redirects remove them. If the log does
/// not recognize these fields as secret, also add their names to ``SiestaLog/redactedHeaders``; see <doc:Logging>. To
/// renew the credential, implement ``canRefresh(_:)`` and ``refresh(_:over:)``.
///
/// ## Log-ins by cookie
///
/// If a server uses cookies for its log-in, the service keeps and sends the cookies; see ``CookieStorage``. The session
/// still knows the user, and the authenticator does not change the requests:
///
/// ```swift
/// nonisolated struct CookieLogin: Authenticator {
///     let credentials: any CredentialStore
///
///     func apply(_ credential: Credential, to request: inout URLRequest) {}  // The service sends the cookie.
/// }
/// ```
///
/// ```swift
/// let shop = Service(baseURL: "https://shop.example.com", cookies: .file(at: cookieFile))
/// shop.authenticate(with: CookieLogin(credentials: .file(at: file)))
/// await shop.signOut()  // Removes the cookies of the last user.
/// let logIn = shop.resource("/log-in").request(.post, body: .form(["name": "ada", "password": password]))
/// try await logIn.value.content(as: Void.self)
/// try await shop.signIn("ada", with: Credential(""))
/// ```
///
/// - Sign out the last user before the next log-in. If another user is signed in, the sign-in removes all cookies,
///   including those of the new log-in. If the session has expired, a log-in request of a personal resource fails.
/// - A response with status 401 makes the session expire, because a cookie cannot be refreshed.
/// - Cookies without an expiration date are never stored. After the next launch, the session still knows the user, and
///   expires at the first response with status 401.
public protocol Authenticator: Sendable {
    /// Adds the credential to a request. Implementations should keep a field that the request already has.
    func apply(_ credential: Credential, to request: inout URLRequest)

    /// The names of the header fields in which ``apply(_:to:)`` puts the credential. The default is `Authorization`.
    ///
    /// A redirect to a server outside the session's scope removes these fields.
    var credentialHeaders: Set<String> { get }

    /// Checks that requests can carry a credential. The default accepts every credential.
    ///
    /// A session checks the credential of each sign-in and of each refresh. If a refreshed credential is not accepted,
    /// the refresh has failed.
    ///
    /// - Throws: The reason, for example a user name that the scheme does not allow. It becomes the cause of the error
    ///   of the sign-in.
    func validate(_ credential: Credential) throws

    /// Returns true if a response means that the server has refused the credential. By default, status 401 is a
    /// refusal.
    ///
    /// A session calls this method for every response to a request with a credential, on the thread that received the
    /// response.
    func isRefusal(_ response: AuthenticatedResponse) -> Bool

    /// Returns true if the credential cannot be used after `date`. By default, a credential expires at its
    /// ``Credential/expirationDate``.
    func expires(_ credential: Credential, by date: Date) -> Bool

    /// The number of seconds before expiration at which a credential is refreshed. The default is 30.
    ///
    /// A session uses a refreshed credential for at least half of its lifetime. If a refreshed credential has already
    /// expired when it arrives, the clock of this device may be wrong. In this case, the session uses the credential
    /// until the server refuses it.
    var leeway: TimeInterval { get }

    /// The maximum number of refreshes in a period. The default is ``RefreshLimit/standard``.
    var refreshLimit: RefreshLimit { get }

    /// Returns true if ``refresh(_:over:)`` may succeed. The default is false.
    func canRefresh(_ credential: Credential) -> Bool

    /// Returns a new credential of the same principal.
    ///
    /// A session calls this method off the main actor, and never twice at the same time. Requests that need the
    /// credential wait for the new credential. Requests that this method sends through `network` carry no credential,
    /// and do not wait for it.
    ///
    /// If this method uses resources, the same rules apply to their requests, downloads and streams. They are also sent
    /// without retries and without pacing, because the requests that wait for the refresh may use up all limits.
    ///
    /// If a request has waited for 60 seconds, the session cancels the task that runs this method. The method must then
    /// end, because no other refresh begins before its end. ``AuthenticationNetwork/send(_:)`` ends when its task is
    /// cancelled.
    ///
    /// - Throws: ``SessionExpired`` if the user must sign in again. After any other error, the session keeps the old
    ///   credential, and the next request starts another refresh.
    func refresh(_ credential: Credential, over network: AuthenticationNetwork) async throws -> Credential

    /// Notifies the server that a credential is no longer used. The default does nothing.
    ///
    /// A session calls this method when the user signs out, and cancels the task after 5 seconds. Failures are ignored,
    /// because the user is signed out in any case.
    func revoke(_ credential: Credential, over network: AuthenticationNetwork) async

    /// The store that keeps the credential after the process ends. The default is ``CredentialStore/memory``, which
    /// keeps nothing.
    var credentials: any CredentialStore { get }
}

extension Authenticator {
    /// The field `Authorization`.
    public var credentialHeaders: Set<String> { ["Authorization"] }

    /// Accepts every credential.
    public func validate(_ credential: Credential) throws {}

    /// Returns true for status 401.
    public func isRefusal(_ response: AuthenticatedResponse) -> Bool { response.status == 401 }

    /// Returns true if the credential has an ``Credential/expirationDate`` that is not after `date`.
    public func expires(_ credential: Credential, by date: Date) -> Bool {
        credential.expirationDate.map { $0 <= date } ?? false
    }

    /// 30 seconds.
    public var leeway: TimeInterval { 30 }

    /// 5 refreshes in 30 seconds.
    public var refreshLimit: RefreshLimit { .standard }

    /// Returns false.
    public func canRefresh(_ credential: Credential) -> Bool { false }

    /// Throws ``SessionExpired``.
    public func refresh(_ credential: Credential, over network: AuthenticationNetwork) async throws -> Credential {
        throw SessionExpired()
    }

    /// Does nothing.
    public func revoke(_ credential: Credential, over network: AuthenticationNetwork) async {}

    /// A store that keeps nothing after the process ends.
    public var credentials: any CredentialStore { .memory }
}

/// An authenticator whose credential the transport sends, after the challenge of the server.
protocol LoginAuthenticator: Authenticator {
    /// Returns the login for the transport; nil if the credential contains none.
    func login(_ credential: Credential) -> AuthenticationLogin?
}

/// A user name and a password for the transport.
struct AuthenticationLogin: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    let user: String
    let password: String

    /// The name of the type, without any part of the login.
    var description: String { "AuthenticationLogin" }

    var customMirror: Mirror { Mirror(self, children: [:]) }
}
