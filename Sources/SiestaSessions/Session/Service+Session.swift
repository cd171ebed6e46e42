public import SiestaCore

extension Service {
    /// Creates a session for this service. Requests of the service then carry the credential of the session.
    ///
    ///     service.authenticate(with: OAuth2(tokenURL: tokenURL, clientID: "app", credentials: .file(at: file)))
    ///
    /// If the authenticator's store contains a credential, the session starts with this credential. The store is read
    /// before this method returns. Call the method once, before the first request and before a screen observes the
    /// session. Without a call to `authenticate`, a service has no session.
    ///
    /// ## Requests that carry the credential
    ///
    /// | URL of the request | credential |
    /// |---|---|
    /// | Below ``baseURL`` | yes |
    /// | At one of the `origins`, with any path | yes |
    /// | Another scheme, host, port or path | no |
    /// | A path with a segment `..` or `.`, escaped or not | no, because the server may resolve it to another path |
    /// | The target of a redirect within the same origin, if it is below the base URL or at one of the `origins` | yes |
    /// | The target of a redirect to another origin, even to one of the `origins` | no |
    /// | The target of a redirect from https to http | no; by default, such a redirect is an error |
    ///
    /// The rules apply to the URL after all request mutations. They also apply to downloads, uploads and loops over
    /// ``Resource/bytes``. A service without a base URL sends the credential only to the `origins`.
    ///
    /// If a redirect to another server removes the credential, a 401 from that server has no effect on the session.
    /// Custom providers, such as a `URLSession`, receive the complete request, and follow redirects according to their
    /// own rules.
    ///
    /// - Parameters:
    ///   - authenticator: The authenticator that adds the credential to requests and refreshes it.
    ///   - origins: URLs of other origins (RFC 6454: a scheme, a host and a port) to which requests also carry the
    ///     credential. By default, only requests to URLs below ``baseURL`` carry the credential.
    /// - Returns: The new session, which is also the value of ``session``.
    @discardableResult
    public final func authenticate(
        with authenticator: any Authenticator, alsoAt origins: [any URLConvertible] = []
    ) -> UserSession {
        let session = context.clock.whileCurrent { UserSession(authenticator) }
        authenticate(sharing: session, alsoAt: origins)
        return session
    }

    /// Sets the session of this service, which other services may share. Requests of the service then carry the
    /// credential of the session.
    ///
    /// The rules of ``authenticate(with:alsoAt:)`` decide which requests carry the credential.
    ///
    /// If the principal of the service changes, the resources of the service are wiped as in
    /// ``UserSession/signIn(_:with:)``. This also happens if the new session has read a saved credential.
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
        let lastChange = context.lastPrincipalChange
        let change = context.principalChanged(from: old?.currentPrincipal)
        // At a launch, the user is the same as before: caches of the app keep what they have.
        if old == nil { context.lastPrincipalChange = lastChange }
        PrincipalChangeStep.allCases.forEach(change.make)
    }

    /// The session of this service; nil before the first call to an `authenticate` method.
    ///
    ///     if service.session?.state == .signedOut { showSignIn() }
    public final var session: UserSession? { context.session }

    /// The name of the signed-in user; nil if nobody is signed in. Observation tracks this property.
    public final var principal: String? { context.session?.principal }

    /// The network for requests that obtain a credential, such as those of
    /// ``OAuth2/AuthorizationFlow/credential(from:over:)``.
    public final var authenticationNetwork: AuthenticationNetwork { context.authenticationNetwork }

    /// Signs a user in; see ``UserSession/signIn(_:with:)``.
    ///
    /// - Throws: An error with the code ``RequestError/Code/missingSession`` if the service has no session. In all
    ///   other cases, the errors of ``UserSession/signIn(_:with:)``.
    public final func signIn(_ principal: String, with credential: Credential) async throws(RequestError) {
        guard let session = context.session else {
            throw RequestError(.init(.missingSession, reason: "call Service.authenticate(with:) first"))
        }
        try await session.signIn(principal, with: credential)
    }

    /// Signs the user out, and removes the user's data from this device; see ``UserSession/signOut()``.
    public final func signOut() async {
        await context.session?.signOut()
    }
}
