public import SiestaCore

extension Service {
    /// Creates a session for this service. Requests of the service then carry the credential of the session.
    ///
    ///     service.authenticate(with: OAuth2(tokenURL: tokenURL, clientID: "app", credentials: .file(at: file)))
    ///
    /// The session begins with the credential in the authenticator's store, if any. The store is read before this
    /// method returns. Call the method once, before the first request and before a screen observes the session. A
    /// service for which `authenticate` was not called has no session.
    ///
    /// ## Requests that carry the credential
    ///
    /// | URL of the request | credential |
    /// |---|---|
    /// | Below ``baseURL`` | yes |
    /// | At one of the `origins`, with any path | yes |
    /// | Another scheme, host, port or path | no |
    /// | A path with a segment `..` or `.`, escaped or not | no, because the server may treat it as another path |
    /// | The target of a redirect to the same origin, below the base URL or at one of the `origins` | yes |
    /// | The target of a redirect to another origin, even to one of the `origins` | no |
    /// | The target of a redirect from https to http | no; by default, such a redirect is an error |
    ///
    /// The rules apply to the URL after all request mutations, and also to downloads, uploads and loops over
    /// ``Resource/bytes``. A service without a base URL sends the credential only to the `origins`.
    ///
    /// If a redirect leads to another server without the credential, a 401 from that server has no effect on the
    /// session. Custom providers, such as a `URLSession`, receive the complete request, and follow redirects by their
    /// own rules.
    ///
    /// - Parameters:
    ///   - authenticator: The scheme that adds the credential to requests and refreshes it.
    ///   - origins: URLs of other origins (RFC 6454: a scheme, a host and a port) to which requests carry the
    ///     credential, too. By default, only requests below ``baseURL`` carry it.
    /// - Returns: The session; see ``session``.
    @discardableResult
    public final func authenticate(
        with authenticator: any Authenticator, alsoAt origins: [any URLConvertible] = []
    ) -> UserSession {
        let session = context.clock.whileCurrent { UserSession(authenticator) }
        authenticate(sharing: session, alsoAt: origins)
        return session
    }

    /// Sets the session of this service, which other services may share. Requests then carry the credential of the
    /// session.
    ///
    /// The rules of ``authenticate(with:alsoAt:)`` decide which requests carry the credential.
    ///
    /// If the service had another session with another principal, the resources of the service are wiped as in
    /// ``UserSession/signIn(_:with:)``.
    public final func authenticate(sharing session: UserSession, alsoAt origins: [any URLConvertible] = []) {
        MainQueue.check("Service.authenticate(sharing:)")
        let old = context.session
        old?.remove(context)
        context.authentication = SessionAuthentication(session, baseURL: baseURL, origins: origins.compactMap(\.url))
        session.add(context)
        let owner = context.transport.cookieOwner
        owner.hasSession = true
        if old?.currentPrincipal == nil { owner.principal = .named(session.currentPrincipal) }
        guard Principal.named(old?.currentPrincipal) != .named(session.currentPrincipal) else { return }
        let change = context.principalChanged(from: old?.currentPrincipal)
        PrincipalChangeStep.allCases.forEach(change.make)
    }

    /// The session; nil before ``authenticate(with:alsoAt:)`` was called.
    ///
    ///     if service.session?.state == .signedOut { showSignIn() }
    public final var session: UserSession? { context.session }

    /// The name of the signed-in user; nil if nobody is signed in. Observation tracks this property.
    public final var principal: String? { context.session?.principal }

    /// The network for requests that obtain a credential, for example
    /// ``OAuth2/AuthorizationFlow/credential(from:over:)``.
    public final var authenticationNetwork: AuthenticationNetwork { context.authenticationNetwork }

    /// Signs a user in; see ``UserSession/signIn(_:with:)``.
    ///
    /// - Throws: The code is ``RequestError/Code/missingSession`` if ``authenticate(with:alsoAt:)`` has
    ///   not been called. In other cases, one of the codes of ``UserSession/signIn(_:with:)``.
    public final func signIn(_ principal: String, with credential: Credential) async throws(RequestError) {
        guard let session = context.session else {
            throw RequestError(.init(.missingSession, reason: "call Service.authenticate(with:) first"))
        }
        try await session.signIn(principal, with: credential)
    }

    /// Signs the user out, and removes the data of the user from this device; see ``UserSession/signOut()``.
    public final func signOut() async {
        await context.session?.signOut()
    }
}
