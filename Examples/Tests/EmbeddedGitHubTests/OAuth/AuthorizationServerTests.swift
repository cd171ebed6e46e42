import Foundation
import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("The OAuth 2.0 server", .timeLimit(.test))
struct AuthorizationServerTests {
    private static let now = Catalogue.today
    /// The verifier and the challenge of RFC 7636 appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    private var server = AuthorizationServer()

    private func query(_ changes: [String: String?] = [:]) -> Query {
        var items: [String: String?] = [
            "response_type": "code", "client_id": EmbeddedGitHub.clientID,
            "redirect_uri": EmbeddedGitHub.redirectURL, "state": "a b", "code_challenge": Self.challenge,
            "code_challenge_method": "S256", "login": "mira-sato",
        ]
        items.merge(changes) { $1 }
        return Query(items.compactMap { item in item.value.map { Query.Item(name: item.key, value: $0) } })
    }

    private mutating func callback(_ changes: [String: String?] = [:]) -> Query {
        let response = server.authorize(query(changes), at: Self.now)
        let location = response.headers["Location"] ?? ""
        #expect(response.status == 302)
        #expect(location.hasPrefix(EmbeddedGitHub.redirectURL + "?"))
        return Query(encoded: location.dropFirst(EmbeddedGitHub.redirectURL.count + 1)) ?? Query()
    }

    private mutating func post(_ form: [String: String], at now: Moment = now) throws -> (status: Int, [String: Any]) {
        let fields = ["client_id": EmbeddedGitHub.clientID].merging(form) { $1 }
        let body = Query(fields.map { Query.Item(name: $0.key, value: $0.value) }).encoded
        let request = HTTPRequest(
            method: "POST", target: try #require(RequestTarget("/login/oauth/access_token")), headers: [:],
            body: Array(body.utf8), keepsAlive: true)
        let response = server.issue(request, at: now)
        #expect(response.headers["Cache-Control"] == "no-store")
        let json = try JSONSerialization.jsonObject(with: Data(response.body))
        return (response.status, json as? [String: Any] ?? [:])
    }

    private mutating func tokens(of login: String = "mira-sato") throws -> (access: String, refresh: String) {
        let code = callback(["login": login])["code"] ?? ""
        let (status, tokens) = try post(codeForm(code))
        #expect(status == 200)
        #expect(tokens["token_type"] as? String == "bearer")
        #expect(tokens["expires_in"] as? Int == 20)
        return try (
            #require(tokens["access_token"] as? String), #require(tokens["refresh_token"] as? String)
        )
    }

    private func codeForm(_ code: String, verifier: String = verifier) -> [String: String] {
        [
            "grant_type": "authorization_code", "code": code, "redirect_uri": EmbeddedGitHub.redirectURL,
            "code_verifier": verifier,
        ]
    }

    @Test("computes the challenge of RFC 7636")
    func codeChallenge() {
        #expect(AuthorizationServer.challenge(for: Self.verifier) == Self.challenge)
    }

    @Test("redirects with a code and the state of the client")
    mutating func redirects() {
        let callback = callback()
        #expect(callback["state"] == "a b")
        #expect(callback["code"]?.isEmpty == false)
    }

    @Test(
        "redirects with an error if the client asks for something else",
        arguments: [
            ("response_type", "token", "unsupported_response_type"), ("code_challenge", nil, "invalid_request"),
            ("code_challenge_method", "plain", "invalid_request"), ("login", "old-rope", "access_denied"),
            ("login", nil, "access_denied"),
        ])
    mutating func errors(name: String, value: String?, code: String) {
        let callback = callback([name: value])
        #expect(callback["error"] == code)
        #expect(callback["code"] == nil)
        #expect(callback["state"] == "a b")
    }

    @Test("redirects nobody to an unknown address", arguments: ["client_id", "redirect_uri"])
    mutating func unknownClient(name: String) {
        let response = server.authorize(query([name: "https://elsewhere.example"]), at: Self.now)
        #expect(response.status == 400)
        #expect(response.headers["Location"] == nil)
    }

    @Test("gives tokens for a code once, and only with its verifier, in time")
    mutating func codes() throws {
        let wrong = callback()["code"] ?? ""
        #expect(try post(codeForm(wrong, verifier: "other")).1["error"] as? String == "invalid_grant")
        let late = callback()["code"] ?? ""
        #expect(try post(codeForm(late), at: Self.now.adding(seconds: 60)).status == 400)
        let code = callback()["code"] ?? ""
        #expect(try post(codeForm(code)).status == 200)
        #expect(try post(codeForm(code)).status == 400)
    }

    @Test("accepts an access token for 20 seconds")
    mutating func lifetime() throws {
        let (access, _) = try tokens(of: "priya-ramanan")
        #expect(server.login(ofAccessToken: access, at: Self.now.adding(seconds: 19)) == "priya-ramanan")
        #expect(server.login(ofAccessToken: access, at: Self.now.adding(seconds: 20)) == nil)
        #expect(server.login(ofAccessToken: "other", at: Self.now) == nil)
    }

    @Test("refuses a refresh token that was used")
    mutating func rotation() throws {
        let first = try tokens().refresh
        let (_, tokens) = try post(["grant_type": "refresh_token", "refresh_token": first])
        let second = try #require(tokens["refresh_token"] as? String)
        let (status, refusal) = try post(["grant_type": "refresh_token", "refresh_token": first])
        #expect(status == 400)
        #expect(refusal["error"] as? String == "invalid_grant")
        #expect(try post(["grant_type": "refresh_token", "refresh_token": second]).status == 200)
        #expect(server.tokenRequestCount == 4)
    }

    @Test("revokes the tokens of one user")
    mutating func revocation() throws {
        let (mira, priya) = try (tokens(), tokens(of: "priya-ramanan"))
        server.revokeTokens(of: "mira-sato", keepingRefreshTokens: true)
        #expect(server.login(ofAccessToken: mira.access, at: Self.now) == nil)
        let (status, tokens) = try post(["grant_type": "refresh_token", "refresh_token": mira.refresh])
        #expect(status == 200)
        server.revokeTokens(of: "mira-sato", keepingRefreshTokens: false)
        let refresh = try #require(tokens["refresh_token"] as? String)
        #expect(try post(["grant_type": "refresh_token", "refresh_token": refresh]).status == 400)
        #expect(server.login(ofAccessToken: priya.access, at: Self.now) == "priya-ramanan")
        #expect(try post(["grant_type": "refresh_token", "refresh_token": priya.refresh]).status == 200)
    }

    @Test("refuses other clients and grants")
    mutating func others() throws {
        #expect(
            try post(["client_id": "other", "grant_type": "refresh_token"]).1["error"] as? String == "invalid_client")
        #expect(try post(["grant_type": "password"]).1["error"] as? String == "unsupported_grant_type")
    }
}
