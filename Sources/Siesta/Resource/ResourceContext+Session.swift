import Foundation
import HTTPRules

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The session of a service, and the URLs to which its requests carry the credential.
@MainActor
struct Authentication {
    let session: Session
    let scope: SecretScope
    /// The extras of each request with a credential that is in its header fields.
    private let extras: RequestExtras

    init(_ session: Session, baseURL: URL?, origins: [URL]) {
        self.session = session
        let base = baseURL?.absoluteString.prefix { $0 != "?" && $0 != "#" }
        let prefixes = [base.map(String.init)].compactMap { $0 } + origins.compactMap(Self.root)
        scope = SecretScope(fields: Array(session.authenticator.credentialHeaders), prefixes: prefixes)
        extras = RequestExtras(secretScope: scope)
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

    /// Adds a credential to a request. Returns the extras that the provider needs for it; nil if the request already has
    /// a credential of its own, which is kept.
    func apply(_ use: Session.Use, to request: inout URLRequest) -> RequestExtras? {
        guard !scope.fields.contains(where: { request.value(forHTTPHeaderField: $0) != nil }) else { return nil }
        session.authenticator.apply(use.credential, to: &request)
        guard let login = (session.authenticator as? any LoginAuthenticator)?.login(use.credential) else {
            return extras
        }
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
    /// - Parameter refused: the number of the credential that the server has refused before.
    func authorized(_ request: URLRequest, after refused: Int32? = nil) async throws(RequestError) -> Authorized {
        guard let authentication, authentication.scope.includes(request.url?.absoluteString ?? "") else {
            return Authorized(request: request, extras: nil, use: nil)
        }
        let session = authentication.session
        let permission = await withCheckedContinuation { continuation in
            session.authorize(Token(), after: refused, over: authenticationNetwork) {
                continuation.resume(returning: $0)
            }
        }
        switch permission {
        case .fail(let error): throw error
        case .send(let use):
            var request = request
            let extras = use.flatMap { authentication.apply($0, to: &request) }
            return Authorized(request: request, extras: extras, use: extras == nil ? nil : use)
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
