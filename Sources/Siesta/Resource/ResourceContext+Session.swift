import Foundation
import HTTPRules

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The session of a service, and the URLs to which its requests carry the credential.
@MainActor
final class Authentication {
    let session: Session
    let scope: SecretScope
    /// The extras of each request with a credential that is in its header fields.
    private let extras: RequestExtras
    /// The authenticator if the transport performs its log-in. The cast is made once, because it takes time.
    private let loginAuthenticator: (any LoginAuthenticator)?

    init(_ session: Session, baseURL: URL?, origins: [URL]) {
        self.session = session
        let base = baseURL?.absoluteString.prefix { $0 != "?" && $0 != "#" }
        let prefixes = [base.map(String.init)].compactMap { $0 } + origins.compactMap(Self.root)
        scope = SecretScope(fields: Array(session.authenticator.credentialHeaders), prefixes: prefixes)
        extras = RequestExtras(secretScope: scope)
        loginAuthenticator = session.authenticator as? any LoginAuthenticator
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
    func apply(_ use: Session.Use, to request: inout URLRequest) -> RequestExtras {
        session.authenticator.apply(use.credential, to: &request)
        guard let login = loginAuthenticator?.login(use.credential) else { return extras }
        return RequestExtras(
            login: .init(user: login.user, password: login.password, scheme: .digest), secretScope: scope)
    }
}

extension ResourceContext: SessionMember {
    var authenticationNetwork: AuthenticationNetwork {
        let starter = RequestStarter(networking)  // It keeps no cookies.
        return AuthenticationNetwork(clock: clock) {
            starter.start($0, extras: RequestExtras(deliversRedirects: true), answering: $1)
        }
    }

    func principalChanged(from old: String?) {
        if old != nil { starter.dropCookies() }
        let personal = resources.filter(\.isPersonal)
        origins.reopen()
        lastWipeTime = clock.wallTime
        clock.whileCurrent {
            unfinishedWrites.revoke()
            for entry in streams.values where entry.resource.isPersonal { entry.stream.abandon() }
            reloading?.endPolls(of: personal)
            Resource.wipe(personal, and: repeatedRequests.own, .principal)
        }
    }

    func removeStoredData(of principal: String) {
        for storage in storages { storage.storage?.removeAll(of: principal) }
    }

    func storedDataIsGone() async {
        await starter.cookiesAreGone()
        for storage in storages.compactMap(\.storage) {
            do {
                try await storage.flush()
            } catch {
                SiestaLog.emit(.cache, ["The data of a user may still be on the disk:", error])
            }
        }
    }
}

extension ResourceContext {
    /// A request with the credential that it carries.
    struct Authorized {
        let request: URLRequest
        let extras: RequestExtras?
        let use: Session.Use?
    }

    /// Adds the credential of the session to a request whose response is not kept in memory. Waits for it if necessary.
    ///
    /// - Parameters:
    ///   - urlRequest: `request` as it is sent, without the credential.
    ///   - refused: the number of the credential that the server has refused before.
    func authorized(
        _ request: PreparedRequest, as urlRequest: URLRequest, after refused: Int32? = nil
    ) async throws(RequestError) -> Authorized {
        guard let authentication, authentication.covers(request) else {
            return Authorized(request: urlRequest, extras: nil, use: nil)
        }
        let session = authentication.session
        let permission = await withCheckedContinuation { continuation in
            session.authorize(Token(), after: refused, over: authenticationNetwork) {
                continuation.resume(returning: $0)
            }
        }
        switch permission {
        case .fail(let error): throw request.error(error)
        case .send(let use):
            var authorized = urlRequest
            let extras = use.map { authentication.apply($0, to: &authorized) }
            return Authorized(request: authorized, extras: extras, use: use)
        }
    }

    /// Returns true if a response means that the server has refused the credential that a request carried.
    func isRefusal(_ response: NetworkResponse?, of use: Session.Use?) -> Bool {
        guard let response, use != nil else { return false }
        return authentication?.session.authenticator.isRefusal(response) ?? false
    }

    /// Identifies a wait that is not cancelled.
    private final class Token {}
}

extension Resource {
    /// True if the resource belongs to the principal of a session.
    var isPersonal: Bool { resolvedConfiguration(for: .get).isPersonal }

    /// Returns the principal of the session to which the resource belongs; nil if it belongs to no session.
    package var sessionPrincipal: (@MainActor () -> String?)? {
        guard let session = context.authentication?.session, isPersonal else { return nil }
        return { session.currentPrincipal }
    }
}
