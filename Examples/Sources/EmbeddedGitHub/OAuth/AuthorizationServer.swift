import Foundation

/// A small OAuth 2.0 server for one public client (RFC 6749), as a value: its codes and tokens.
///
/// It decides every response, and knows neither sockets nor clocks. Codes and tokens are numbered, so that they are the
/// same on every run. A real server issues random ones.
struct AuthorizationServer: Sendable {
    private struct Code: Sendable {
        let login: String
        let challenge: String
        let expiration: Moment
    }

    private struct AccessToken: Sendable {
        let login: String
        let expiration: Moment
    }

    private var codes: [String: Code] = [:]
    private var accessTokens: [String: AccessToken] = [:]
    /// The login of each refresh token that was not used yet.
    private var refreshTokens: [String: String] = [:]
    private var issuedCount = 0

    /// The number of requests to the token endpoint.
    private(set) var tokenRequestCount = 0

    /// Returns the login of an access token; nil if the token is unknown or has expired.
    func login(ofAccessToken token: String, at now: Moment) -> String? {
        accessTokens[token].flatMap { now < $0.expiration ? $0.login : nil }
    }

    /// Makes all access tokens of a user invalid, and the refresh tokens unless they are kept.
    mutating func revokeTokens(of login: String, keepingRefreshTokens: Bool) {
        accessTokens = accessTokens.filter { $0.value.login != login }
        if !keepingRefreshTokens { refreshTokens = refreshTokens.filter { $0.value != login } }
    }

    // MARK: - Authorization endpoint

    /// Redirects to the client, with a code for the user that the parameter `login` names. There is no page to log in.
    ///
    /// Nothing is redirected if the client or the redirect URL is wrong (RFC 6749 section 4.1.2.1).
    mutating func authorize(_ query: Query, at now: Moment) -> HTTPResponse {
        guard query["client_id"] == EmbeddedGitHub.clientID, query["redirect_uri"] == EmbeddedGitHub.redirectURL else {
            return Self.refusal("invalid_request", status: 400)
        }
        func redirect(_ name: String, _ value: String) -> HTTPResponse {
            var items = [Query.Item(name: name, value: value)]
            if let state = query["state"] { items.append(Query.Item(name: "state", value: state)) }
            var response = HTTPResponse(302)
            response.headers = [
                "Location": EmbeddedGitHub.redirectURL + "?" + Query(items).encoded, "Cache-Control": "no-store",
            ]
            return response
        }
        guard query["response_type"] == "code" else { return redirect("error", "unsupported_response_type") }
        guard let challenge = query["code_challenge"], !challenge.isEmpty, query["code_challenge_method"] == "S256"
        else {
            return redirect("error", "invalid_request")
        }
        guard let login = query["login"], EmbeddedGitHub.logins.contains(login) else {
            return redirect("error", "access_denied")
        }
        let code = makeSecret("code", login)
        codes[code] = Code(login: login, challenge: challenge, expiration: now.adding(seconds: 60))
        return redirect("code", code)
    }

    // MARK: - Token endpoint

    /// Exchanges a code or a refresh token for new tokens. Each of them works once.
    mutating func issue(_ request: HTTPRequest, at now: Moment) -> HTTPResponse {
        tokenRequestCount += 1
        guard let form = Query(encoded: String(decoding: request.body, as: UTF8.self)) else {
            return Self.refusal("invalid_request", status: 400)
        }
        guard form["client_id"] == EmbeddedGitHub.clientID else { return Self.refusal("invalid_client", status: 401) }
        let login: String?
        switch form["grant_type"] {
        case "authorization_code": login = loginOfCode(form, at: now)
        case "refresh_token": login = form["refresh_token"].flatMap { refreshTokens.removeValue(forKey: $0) }
        default: return Self.refusal("unsupported_grant_type", status: 400)
        }
        return login.map { tokens(of: $0, at: now) } ?? Self.refusal("invalid_grant", status: 400)
    }

    private mutating func loginOfCode(_ form: Query, at now: Moment) -> String? {
        guard let code = form["code"].flatMap({ codes.removeValue(forKey: $0) }), now < code.expiration,
            form["redirect_uri"] == EmbeddedGitHub.redirectURL,
            form["code_verifier"].map(Self.challenge(for:)) == code.challenge
        else { return nil }
        return code.login
    }

    private mutating func tokens(of login: String, at now: Moment) -> HTTPResponse {
        accessTokens = accessTokens.filter { now < $0.value.expiration }
        let (access, refresh) = (makeSecret("access", login), makeSecret("refresh", login))
        let lifetime = EmbeddedGitHub.tokenLifetime
        accessTokens[access] = AccessToken(login: login, expiration: now.adding(seconds: lifetime))
        refreshTokens[refresh] = login
        var response = HTTPResponse(
            200,
            json: [
                "access_token": .string(access), "token_type": .string("bearer"), "expires_in": .integer(lifetime),
                "refresh_token": .string(refresh),
            ])
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    /// Returns the code challenge of a verifier, by the method S256 (RFC 7636 section 4.2).
    static func challenge(for verifier: String) -> String {
        Data(SHA256.hash(Array(verifier.utf8))).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    private mutating func makeSecret(_ kind: String, _ login: String) -> String {
        issuedCount += 1
        return "\(kind)-\(login)-\(issuedCount)"
    }

    /// An error in the form of RFC 6749 section 5.2.
    private static func refusal(_ code: String, status: Int) -> HTTPResponse {
        var response = HTTPResponse(status, json: ["error": .string(code)])
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}
