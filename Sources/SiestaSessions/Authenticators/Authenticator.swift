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
/// All synchronous functions must return quickly, because they may run on the threads that send requests. An
/// authenticator does not store the current credential: a ``UserSession`` passes the credential to each function.
///
/// ## Custom authenticators
///
/// Only ``apply(_:to:)`` has no default implementation. This authenticator sends the credential in a custom header:
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
/// List the fields that contain the credential in ``credentialHeaders``, so that they are not sent to other servers
/// after a redirect. If the log does not recognize these fields as secret, also add their names to
/// ``SiestaLog/redactedHeaders``; see <doc:Logging>. To renew the credential, implement ``canRefresh(_:)`` and
/// ``refresh(_:over:)``.
///
/// ## Log-ins by cookie
///
/// If a server identifies the user by a cookie, the service keeps and sends this cookie; see ``CookieStorage``. The
/// session still keeps the name of the user, but the authenticator does not change the requests:
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
/// - Sign out the previous user before the next log-in. If another user is still signed in, the sign-in removes all
///   cookies, including those of the new log-in. While the session is expired, requests for resources with
///   ``Configuration/isPersonal`` fail. Set this option to false for the log-in.
/// - A response with status 401 makes the session expire, because a cookie cannot be refreshed.
/// - Cookies without an expiration date are never written to disk. After the next launch, the user therefore appears
///   signed in, although the cookie is missing, until a response with status 401 makes the session expire.
public protocol Authenticator: Sendable {
    /// Adds the credential to a request. An implementation should not replace a header field that the request already
    /// has.
    func apply(_ credential: Credential, to request: inout URLRequest)

    /// The names of the header fields in which ``apply(_:to:)`` puts the credential. The default is `Authorization`.
    ///
    /// If a redirect leads to a URL that must not receive the credential, these fields are removed; see
    /// ``Service/authenticate(with:alsoAt:)``.
    var credentialHeaders: Set<String> { get }

    /// Checks that requests can carry a credential. The default accepts every credential.
    ///
    /// A session checks the credential of each sign-in and of each refresh. If the check of a refreshed credential
    /// throws, the refresh fails.
    ///
    /// - Throws: An error that states why the credential cannot be sent, for example because the scheme does not allow
    ///   the user name. If the error is not a ``RequestError``, the sign-in throws a ``RequestError`` with this error
    ///   as its cause.
    func validate(_ credential: Credential) throws

    /// Returns true if a response means that the server has refused the credential. By default, status 401 is a
    /// refusal.
    ///
    /// A session calls this method for every response to a request with a credential, on the thread that received the
    /// response.
    func isRefusal(_ response: AuthenticatedResponse) -> Bool

    /// Returns true if the credential expires at or before `date`. By default, a credential expires at its
    /// ``Credential/expirationDate``. After this date, a credential counts as expired, regardless of the return value
    /// of this method.
    func expires(_ credential: Credential, by date: Date) -> Bool

    /// The number of seconds before expiration at which a credential is refreshed. The default is 30.
    ///
    /// A session uses a refreshed credential for at least half of its lifetime, even if the leeway is longer. If a
    /// refreshed credential has already expired when it arrives, the clock of this device may be wrong. In this case,
    /// the session uses the credential until the server refuses it.
    var leeway: TimeInterval { get }

    /// The maximum number of refreshes in a period. The default is ``RefreshLimit/standard``.
    var refreshLimit: RefreshLimit { get }

    /// Returns true if ``refresh(_:over:)`` can renew the credential. By default, no credential can be renewed.
    func canRefresh(_ credential: Credential) -> Bool

    /// Returns a new credential for the same principal.
    ///
    /// A session calls this method off the main actor, and never twice at the same time. Requests that need the
    /// credential wait until this method returns. Requests that this method sends through `network` carry no
    /// credential, and do not wait.
    ///
    /// If this method uses resources, their requests, downloads and streams also carry no credential and do not wait.
    /// In addition, they are sent without retries and without pacing, because the waiting requests may have used up
    /// those limits.
    ///
    /// If a request has waited for 60 seconds, the session cancels the task that runs this method. The method must then
    /// return or throw, because no other refresh begins before that. ``AuthenticationNetwork/send(_:)`` throws when its
    /// task is cancelled.
    ///
    /// - Throws: ``SessionExpired`` if the user must sign in again. After any other error, the session keeps the old
    ///   credential, and the next request starts another refresh.
    func refresh(_ credential: Credential, over network: AuthenticationNetwork) async throws -> Credential

    /// Notifies the server that a credential is no longer used. The default does nothing.
    ///
    /// A session calls this method when the user signs out, and cancels the task after 5 seconds. The user is signed
    /// out even if this method fails to notify the server.
    func revoke(_ credential: Credential, over network: AuthenticationNetwork) async

    /// The store that keeps the credential after the process ends. The default is ``CredentialStore/memory``, which
    /// does not keep it.
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
