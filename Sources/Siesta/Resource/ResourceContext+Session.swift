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

    /// Returns the facts that decide whether the credential in a request is refused.
    func use(in request: URLRequest) -> CredentialUse {
        CredentialUse(authenticator: session.authenticator, scope: scope, url: request.url)
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

extension ResourceContext {
    /// The principal who is signed in; nil if there is none.
    var principal: Principal? { .named(authentication?.session.currentPrincipal) }

    /// True if another user made a request, or nobody is signed in any more. Then it must not be sent with the credential
    /// of the present user, who did not make it.
    func isFormer(_ maker: Principal?) -> Bool { maker != nil && maker != principal }
}

extension ResourceContext: SessionMember {
    var authenticationNetwork: AuthenticationNetwork {
        AuthenticationNetwork(clock: clock) { [transport, clock] in
            try await TokenExchange.response(to: $0, over: { transport.withoutCookies }, clock: clock)
        }
    }

    func principalChanged(from old: String?) -> any PrincipalChange {
        let new = authentication?.session.currentPrincipal
        transport.changeCookieOwner(to: .named(new), keepsCookies: old == nil)
        let personal = resources.filter(\.isPersonal)
        lastWipe.time = clock.wallTime
        clock.whileCurrent {
            unfinishedWrites.revoke()
            for feature in extensions { feature.principalChanged(of: personal) }
        }
        let wipe = Resource.Wipe(personal, and: repeatedRequests.own, .principal)
        return ServiceWipe(wipe: wipe, clock: clock, outbox: outbox)
    }

    func removeStoredData(of principal: String) {
        for storage in storages { storage.storage?.removeAll(of: principal) }
    }

    func cookiesAreGone() async { await transport.cookiesAreGone() }

    func storedDataIsGone() async {
        await transport.cookiesAreGone()
        for storage in storages.compactMap(\.storage) {
            do {
                try await storage.flush()
            } catch {
                SiestaLog.emit(.cache, ["The data of a user may still be on the disk:", error])
            }
        }
    }
}

/// The wipe of one service after a change of the principal.
private struct ServiceWipe: PrincipalChange {
    let wipe: Resource.Wipe
    let clock: SiestaClock
    let outbox: (any ChangeOutbox)?

    func make(_ step: PrincipalChangeStep) {
        clock.whileCurrent {
            switch step {
            case .cancelRequests: wipe.cancelRequests()
            case .removeData:
                outbox?.principalWillChange()
                wipe.removeState()
            case .announce:
                outbox?.principalDidChange()
                wipe.announce()
            }
        }
    }
}

extension Resource {
    /// True if the resource belongs to the principal of a session.
    var isPersonal: Bool { resolvedConfiguration(for: .get).configuration.isPersonal }

    /// Returns the principal of the session to which the resource belongs; nil if it belongs to no session.
    package var sessionPrincipal: (@MainActor () -> String?)? {
        guard let session = context.authentication?.session, isPersonal else { return nil }
        return { session.currentPrincipal }
    }
}
