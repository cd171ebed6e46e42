import Foundation
import HTTPRules
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The session of a service, and the URLs to which its requests carry the credential.
@MainActor
final class SessionAuthentication: Authentication {
    let session: UserSession
    let scope: SecretScope
    /// The extras of each request with a credential that is in its header fields.
    private let extras: RequestExtras
    /// The authenticator if the transport performs its log-in. The cast is made once, because it takes time.
    private let loginAuthenticator: (any LoginAuthenticator)?

    init(_ session: UserSession, baseURL: URL?, origins: [URL]) {
        self.session = session
        let base = baseURL?.absoluteString.prefix { $0 != "?" && $0 != "#" }
        let prefixes = [base.map(String.init)].compactMap { $0 } + origins.compactMap(Self.root)
        scope = SecretScope(fields: Array(session.authenticator.credentialHeaders), prefixes: prefixes)
        extras = RequestExtras(secretScope: scope)
        loginAuthenticator = session.authenticator as? any LoginAuthenticator
    }

    var currentPrincipal: String? { session.currentPrincipal }

    var step: any ExchangeStep { CredentialStep(self) }

    func isFailure(_ error: RequestError) -> Bool {
        [.sessionExpired, .credentialNotRefreshed, .tooManyRefreshes].contains(error.code)
    }

    var sentPrincipal: String? { session.hasExpired ? nil : currentPrincipal }

    /// Returns true if the provider has received a response, and it means that the server has refused the credential.
    ///
    /// The response of another server, after a redirect that has removed the credential, means nothing.
    nonisolated func isRefusal(_ response: NetworkResponse, to url: URL?) -> Bool {
        guard let head = response.head else { return false }
        if let end = head.url, let url, end != url, !scope.keepsSecrets(from: url, to: end) { return false }
        return session.authenticator.isRefusal(AuthenticatedResponse(head, body: response.body))
    }

    /// Returns the URL of an origin, without its path.
    private static func root(_ url: URL) -> String? {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        (parts.path, parts.query, parts.fragment, parts.user, parts.password) = ("/", nil, nil, nil, nil)
        return parts.string
    }

    /// Returns true if a request may carry the credential.
    ///
    /// A request with a credential of its own needs no other.
    func covers(_ request: PreparedRequest) -> Bool {
        let headers = request.headers
        guard headers.isEmpty || !headers.keys.contains(where: scope.isSecret) else { return false }
        return scope.includes(request.address)
    }

    /// Adds a credential to a request. Returns the extras that the provider needs for it.
    func apply(_ use: SessionRules.Holder, to request: inout URLRequest) -> RequestExtras {
        session.authenticator.apply(use.credential, to: &request)
        guard let login = loginAuthenticator?.login(use.credential) else { return extras }
        return RequestExtras(
            login: .init(user: login.user, password: login.password, scheme: .digest), secretScope: scope)
    }
}

extension ResourceContext {
    /// The session of the service; nil without one.
    var session: UserSession? { (authentication as? SessionAuthentication)?.session }
}
