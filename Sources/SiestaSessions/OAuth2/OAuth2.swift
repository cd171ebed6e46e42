public import Foundation
public import SiestaCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// An authenticator that uses access tokens of an OAuth 2.0 server (RFC 6749), and refreshes them when they expire.
///
/// These functions obtain the first credential:
///
/// - For an app with a user: ``authorizationFlow(authorizationURL:redirectURL:scopes:parameters:)``.
/// - For a device without a browser: ``deviceAuthorization(at:scopes:over:)``.
/// - For a program without a user: ``clientCredentials(scopes:over:)``.
///
/// If your app obtains tokens in another way, create a ``Credential`` from the access token, the refresh token and the
/// expiration date.
///
/// When the server issues a new refresh token, the new token replaces the old one. The session saves each new
/// credential before using it. After a crash, the user therefore stays signed in, even if the server accepts each
/// refresh token only once.
///
/// No log, description or error contains tokens, codes, passwords or client secrets.
public struct OAuth2: Authenticator {
    /// The store that keeps the tokens after the process ends.
    public let credentials: any CredentialStore
    /// The number of seconds before expiration at which a token is refreshed.
    public let leeway: TimeInterval
    /// The maximum number of refreshes in a period.
    public let refreshLimit: RefreshLimit
    let client: TokenRequest.Client

    /// Creates an authenticator for one client of one server.
    ///
    /// - Parameters:
    ///   - tokenURL: The token endpoint (RFC 6749 §3.2). The scheme must be `https`. For tests, `http` is allowed if
    ///     the host is this machine: `localhost`, `127.0.0.0/8` or `::1`. With any other URL, a request for a token
    ///     fails, and nothing is sent.
    ///   - clientID: The identifier of the client.
    ///   - clientSecret: The secret of the client. Nil for public clients, such as apps on devices, which cannot keep a
    ///     secret.
    ///   - sendsSecretInBody: True if requests send the identifier and the secret as parameters of the body, for
    ///     servers that do not support the field `Authorization: Basic` (RFC 6749 §2.3.1). The default is false.
    ///   - revocationURL: The revocation endpoint (RFC 7009), to which the tokens are sent when the user signs out. Nil
    ///     if the server has no such endpoint. The scheme must be `https`, with the same exception as for `tokenURL`.
    ///   - credentials: The store for the tokens. By default, the tokens are lost when the process ends.
    ///   - leeway: The number of seconds before expiration at which a token is refreshed. The default is 30. The leeway
    ///     of a token is at most half of its lifetime. A negative value counts as 0.
    ///   - refreshLimit: The maximum number of refreshes in a period. The default is 5 in 30 seconds.
    public init(
        tokenURL: URL, clientID: String, clientSecret: String? = nil, sendsSecretInBody: Bool = false,
        revocationURL: URL? = nil,
        credentials: any CredentialStore = .memory, leeway: TimeInterval = 30, refreshLimit: RefreshLimit = .standard
    ) {
        client = TokenRequest.Client(
            id: clientID, secret: clientSecret, sendsSecretInBody: sendsSecretInBody, tokenURL: tokenURL,
            revocationURL: revocationURL)
        (self.credentials, self.leeway) = (credentials, max(0, leeway))
        self.refreshLimit = refreshLimit
    }

    /// Sets the field `Authorization: Bearer` (RFC 6750). Does not change a request that already has the field.
    public func apply(_ credential: Credential, to request: inout URLRequest) {
        request.addCredential("Bearer \(credential.secret)", as: "Authorization")
    }

    /// Accepts an access token that is not empty and contains no control character such as a line break.
    ///
    /// - Throws: ``RequestError/Code/invalidCredential``.
    public func validate(_ credential: Credential) throws(RequestError) {
        try TokenSyntax.check(credential.secret)
    }

    /// Returns true if the access token expires at or before `date`.
    ///
    /// If the ``leeway`` is longer than half of a token's lifetime, this method adds the difference to the expiration
    /// date. Without this correction, each request would refresh such a token.
    public func expires(_ credential: Credential, by date: Date) -> Bool {
        guard let expiration = credential.expirationDate else { return false }
        let lifetime = credential.details[TokenResponse.lifetimeName].flatMap(TimeInterval.init) ?? .infinity
        return expiration.addingTimeInterval(max(0, leeway - lifetime / 2)) <= date
    }

    /// Returns true if the credential has a refresh token, or comes from ``clientCredentials(scopes:over:)``.
    public func canRefresh(_ credential: Credential) -> Bool {
        credential.refreshToken != nil || credential.isOfClient
    }

    /// Requests a new access token with the refresh token (RFC 6749 §6). If the credential comes from
    /// ``clientCredentials(scopes:over:)`` and has no refresh token, requests a new credential for the client.
    ///
    /// - Throws: ``SessionExpired`` if the server responds with `invalid_grant`, `invalid_client` or
    ///   `unauthorized_client`, or if the credential cannot be refreshed. In all other cases, the errors of
    ///   ``clientCredentials(scopes:over:)``.
    public func refresh(_ credential: Credential, over network: AuthenticationNetwork) async throws -> Credential {
        let form: [(String, String)]
        if let token = credential.refreshToken {
            form = [("grant_type", "refresh_token"), ("refresh_token", token)]
        } else if credential.isOfClient {
            form = Self.clientCredentialsForm(scope: credential.details["scope"])
        } else {
            throw SessionExpired()
        }
        let result = try await requestCredential(form, replacing: credential, over: network)
        return try result.mapError { $0.refreshError }.get()
    }

    /// If there is a revocation endpoint, revokes the refresh token and then the access token (RFC 7009). Ignores
    /// failures.
    public func revoke(_ credential: Credential, over network: AuthenticationNetwork) async {
        guard let revocationURL = client.revocationURL else { return }
        let tokens = [(credential.refreshToken, "refresh_token"), (credential.secret, "access_token")]
        for case (let token?, let kind) in tokens {
            let request = TokenRequest(url: revocationURL, form: [("token", token), ("token_type_hint", kind)])
            guard !Task.isCancelled, let request = try? request.urlRequest(client) else { return }
            _ = try? await network.send(request)
        }
    }

    /// Requests a credential for the client itself, without a user (RFC 6749 §4.4). Unless the server has issued a
    /// refresh token, a refresh requests a new credential in the same way.
    ///
    /// ```swift
    /// let oauth = OAuth2(tokenURL: tokenURL, clientID: "reports", clientSecret: secret)
    /// api.authenticate(with: oauth)
    /// try await api.signIn("reports", with: oauth.clientCredentials(over: api.authenticationNetwork))
    /// ```
    ///
    /// - Parameters:
    ///   - scopes: The requested scopes. By default, the server chooses them.
    ///   - network: The service's ``Service/authenticationNetwork``.
    /// - Throws: An error with one of these codes:
    ///   - ``RequestError/Code/authorizationRefused`` if the server responds with an OAuth 2.0 error code. This code is
    ///     the ``RequestError/Failure/name`` of the error's cause.
    ///   - ``RequestError/Code/httpStatus`` if the server fails, or responds with a status of 400 or more but without
    ///     an error code.
    ///   - ``RequestError/Code/invalidTokenResponse`` if the response is not a valid token response.
    ///   - ``RequestError/Code/insecureAddress`` if the endpoint's URL is not secure. Nothing was sent.
    ///   - One of the codes of ``AuthenticationNetwork/send(_:)`` if the network fails or the task is cancelled.
    public func clientCredentials(
        scopes: [String] = [], over network: AuthenticationNetwork
    ) async throws(RequestError) -> Credential {
        let scope = scopes.isEmpty ? nil : scopes.joined(separator: " ")
        var old = Credential("")
        old.details[Credential.grantName] = Credential.clientGrant
        old.details["scope"] = scope
        return try await firstCredential(Self.clientCredentialsForm(scope: scope), replacing: old, over: network)
    }

    /// Requests a credential for a user who has typed a name and a password into the app (RFC 6749 §4.3).
    ///
    /// Use this grant only if the server supports no other grant: this grant reveals the password to the app, and does
    /// not work with a second factor (RFC 9700 §2.4). The password is not stored. If the response contains no refresh
    /// token, the user must sign in again when the access token has expired.
    ///
    /// ```swift
    /// let credential = try await oauth.passwordCredentials(
    ///     user: "ada", password: password, over: api.authenticationNetwork)
    /// try await api.signIn("ada", with: credential)
    /// ```
    ///
    /// - Parameters:
    ///   - user: The name of the user.
    ///   - password: The password of the user.
    ///   - scopes: The requested scopes. By default, the server chooses them.
    ///   - network: The service's ``Service/authenticationNetwork``.
    /// - Throws: The errors of ``clientCredentials(scopes:over:)``. If the password is wrong, the code is
    ///   ``RequestError/Code/authorizationRefused``. Most servers then send the error code `invalid_grant`.
    public func passwordCredentials(
        user: String, password: String, scopes: [String] = [], over network: AuthenticationNetwork
    ) async throws(RequestError) -> Credential {
        let form = [("grant_type", "password"), ("username", user), ("password", password)]
        return try await firstCredential(form + Self.scopeItems(scopes), replacing: nil, over: network)
    }

    /// Returns the parameter with scopes; none if the server decides about them.
    static func scopeItems(_ scopes: [String]) -> [(String, String)] {
        scopes.isEmpty ? [] : [("scope", scopes.joined(separator: " "))]
    }

    private static func clientCredentialsForm(scope: String?) -> [(String, String)] {
        [("grant_type", Credential.clientGrant)] + (scope.map { [("scope", $0)] } ?? [])
    }

    /// Sends a request for a first credential to the token endpoint.
    func firstCredential(
        _ form: [(String, String)], replacing old: Credential?, over network: AuthenticationNetwork
    ) async throws(RequestError) -> Credential {
        try await requestCredential(form, replacing: old, over: network).mapError { $0.error }.get()
    }

    /// Sends a request to the token endpoint, and returns the credential in the response or the reason why there is none.
    ///
    /// - Throws: The reason why there is no response.
    func requestCredential(
        _ form: [(String, String)], replacing old: Credential?, over network: AuthenticationNetwork
    ) async throws(RequestError) -> Result<Credential, TokenResponse.Failure> {
        let request = try TokenRequest(url: client.tokenURL, form: form).urlRequest(client)
        let start = network.now  // The lifetime begins before the response arrives.
        let response = try await network.send(request)
        let retryAfter = response.header("Retry-After")
        return Result { () throws(TokenResponse.Failure) in
            try TokenResponse(status: response.status, body: response.body, retryAfter: retryAfter)
                .credential(replacing: old, requestedAt: start)
        }
    }
}

extension Credential {
    fileprivate static let grantName = "grant_type"
    fileprivate static let clientGrant = "client_credentials"

    /// True if a client obtained the credential for itself, and thus can do so again.
    fileprivate var isOfClient: Bool { details[Self.grantName] == Self.clientGrant }
}
