import Foundation
import Isolation

import SiestaTesting
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking
@testable import SiestaSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The authenticators that add a credential to each request.
@Suite(.timeLimit(.test))
struct AuthenticatorTests {
    private func request(_ url: String = "https://api.test/a", _ fields: [String: String] = [:]) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private func field(
        _ name: String = "Authorization", _ authenticator: some Authenticator, _ credential: Credential,
        _ fields: [String: String] = [:]
    ) throws -> String? {
        var request = try request("https://api.test/a", fields)
        authenticator.apply(credential, to: &request)
        return request.value(forHTTPHeaderField: name)
    }

    static let cases: [(any Authenticator, Credential, String?)] = [
        (BearerToken(), Credential("abc.-_~+/="), "Bearer abc.-_~+/="),
        (BearerToken(), Credential("abc\r\nX-Evil: 1"), nil), (BearerToken(), Credential("a\0"), nil),
        (BearerToken(), Credential("a\u{7F}"), nil), (BearerToken(), Credential("a\u{1}"), nil),
        (
            BasicAuthentication(), Credential(user: "Aladdin", password: "open sesame"),
            "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
        ),
        (BasicAuthentication(), Credential(user: "test", password: "123£"), "Basic dGVzdDoxMjPCow=="),
        (BasicAuthentication(), Credential(user: "", password: ":"), "Basic Ojo="),
        (BasicAuthentication(), Credential(user: "a:b", password: "c"), nil),
        (BasicAuthentication(), Credential(user: "a\n", password: "c"), nil),
        (BasicAuthentication(), Credential(user: "a", password: "c\u{85}"), nil),
        (BasicAuthentication(), Credential("c"), nil),
        (DigestAuthentication(), Credential(user: "a", password: "c"), nil),
        (oauth, Credential("token"), "Bearer token"), (oauth, Credential("\n"), nil),
    ]

    private static var oauth: OAuth2 { OAuth2(tokenURL: URL(fileURLWithPath: "/"), clientID: "c") }

    @Test(arguments: cases.indices)
    func `The field Authorization is that of the standard, or missing`(index: Int) throws {
        let (authenticator, credential, value) = Self.cases[index]
        #expect(try field("Authorization", authenticator, credential) == value)
        #expect(authenticator.credentialHeaders == ["Authorization"])
        let isSent = value != nil || authenticator is DigestAuthentication
        #expect(isSent == ((try? authenticator.validate(credential)) != nil))
    }

    @Test func `A field of the request is kept`() throws {
        for authenticator in [BearerToken(), BasicAuthentication(), APIKey(.header("authorization"))]
            as [any Authenticator]
        {
            let credential = Credential(user: "a", password: "b")
            #expect(try field("Authorization", authenticator, credential, ["authorization": "mine"]) == "mine")
        }
    }

    @Test func `A credential that cannot be sent is an error that does not contain it`() throws {
        for (authenticator, credential) in [
            (BearerToken(), Credential("")), (BearerToken(), Credential("s3cret\n")),
            (BasicAuthentication(), Credential(user: "s3cret:", password: "s3cret")),
            (BasicAuthentication(), Credential("s3cret")), (DigestAuthentication(), Credential("s3cret")),
            (DigestAuthentication(), Credential(user: "s3cret\r\nX: y", password: "p")),
            (DigestAuthentication(), Credential(user: "ada", password: "s3cret\0")),
            (APIKey(.header("X-Key-1")), Credential("s3cret\r")), (APIKey(.query("k")), Credential("")),
            (Self.oauth, Credential("s3cret\n")),
        ] as [(any Authenticator, Credential)] {
            let error = try #require(throws: RequestError.self) {
                try authenticator.validate(credential)
            }
            #expect(error.code == .invalidCredential)
            #expect(!"\(error) \(error.localizedDescription)".contains("s3cret"))
        }
        let error = try #require(throws: RequestError.self) {
            try APIKey(.header("X Key")).validate(Credential("k"))
        }
        #expect(error.code == .invalidHeader)
    }

    // MARK: Refusals and refreshes

    private func response(_ status: Int) -> AuthenticatedResponse {
        AuthenticatedResponse(.init(status: status, fields: HeaderFields(["a": "b"])), body: nil)
    }

    @Test func `A 401 is a refusal unless the app decides`() {
        for authenticator in [BearerToken(), BasicAuthentication(), APIKey(.query("k")), Self.oauth]
            as [any Authenticator]
        {
            #expect(authenticator.isRefusal(response(401)))
            #expect(!authenticator.isRefusal(response(403)))
            #expect(!authenticator.isRefusal(response(200)))
        }
        let own = BearerToken(isRefusal: { $0.status == 403 && $0.header("A") == "b" })
        #expect(own.isRefusal(response(403)))
        #expect(!own.isRefusal(response(401)))
    }

    @Test func `A response without a body in memory has an empty one, as the response to a request for tokens`() {
        #expect(response(401).body.isEmpty)
    }

    @Test func `A bearer token is refreshed by the closure`() async throws {
        let authenticator = BearerToken(
            leeway: -5,
            refresh: { old, network in Credential(old.secret + "2", expirationDate: network.now) })
        #expect(authenticator.leeway == 0)
        #expect(authenticator.canRefresh(Credential("a")))
        let network = TokenNetwork().network
        let new = try await authenticator.refresh(Credential("a"), over: network)
        #expect(new == Credential("a2", expirationDate: network.now))
    }

    @Test func `Without a closure, the session has expired`() async {
        for authenticator in [BearerToken(), BasicAuthentication(), DigestAuthentication(), APIKey(.query("k"))]
            as [any Authenticator]
        {
            #expect(!authenticator.canRefresh(Credential("a")))
            await #expect(throws: SessionExpired()) {
                _ = try await authenticator.refresh(Credential("a"), over: TokenNetwork().network)
            }
        }
    }

    @Test(arguments: [(401, true), (403, false), (500, false)])
    func `The session expires if the closure fails with status 401`(status: Int, expires: Bool) async throws {
        let authenticator = BearerToken(refresh: { _, _ in
            var error = RequestError(userMessage: "no", cause: URLError(.unknown))
            error.httpStatusCode = status
            throw error
        })
        do {
            _ = try await authenticator.refresh(Credential("a"), over: TokenNetwork().network)
            Issue.record("no error")
        } catch {
            #expect((error is SessionExpired) == expires)
        }
    }

    @Test func `A credential expires at its date`() {
        let date = Date(timeIntervalSinceReferenceDate: 1000)
        let credential = Credential("a", expirationDate: date)
        #expect(BearerToken().expires(credential, by: date))
        #expect(!BearerToken().expires(credential, by: date - 1))
        #expect(!BearerToken().expires(Credential("a"), by: .distantFuture))
        #expect(BearerToken().leeway == 30)
    }

    @Test func `A credential with a lifetime expires at a date, and is used for half of its lifetime at least`() {
        let clock = TestClock()
        let start = Date(timeIntervalSinceReferenceDate: clock.wallTime)
        let credential = clock.whileCurrent { Credential("a", refreshToken: "r", expiresIn: 20, details: ["b": "c"]) }
        #expect(credential.expirationDate == start + 20)
        #expect(credential.refreshToken == "r")
        #expect(credential.details["b"] == "c")
        #expect(!Self.oauth.expires(credential, by: start + Self.oauth.leeway))
        #expect(Self.oauth.expires(credential, by: start + 10 + Self.oauth.leeway))
    }

    @Test(arguments: [nil, 0, -1, TimeInterval.nan])
    func `A lifetime that is unknown or not positive is no date`(lifetime: TimeInterval?) {
        #expect(Credential("a", expiresIn: lifetime) == Credential("a"))
    }

    @Test func `Digest passes the login to the transport`() {
        let credential = Credential(user: "ada", password: "s3cret")
        #expect(DigestAuthentication().login(credential) == AuthenticationLogin(user: "ada", password: "s3cret"))
        #expect(DigestAuthentication().login(Credential("key")) == nil)
        #expect(DigestAuthentication().login(Credential(user: "ada\r\nX: y", password: "p")) == nil)
    }

    // MARK: Keys

    @Test func `A key is in its field`() throws {
        let authenticator = APIKey(.header("X-Acme"))
        #expect(try field("x-acme", authenticator, Credential("k 1")) == "k 1")
        #expect(try field("X-Acme", authenticator, Credential("k\n")) == nil)
        #expect(authenticator.credentialHeaders == ["X-Acme"])
        var request = try request()
        APIKey(.header("X Acme")).apply(Credential("k"), to: &request)
        #expect(request.allHTTPHeaderFields?.isEmpty != false)
    }

    @Test(arguments: [
        ("https://h/a", "https://h/a?api_key=k%26%3D%2B%23%20%C3%A9"),
        ("https://h/a?b=1&api_key=old&c=2#f?x&y", "https://h/a?b=1&c=2&api_key=k%26%3D%2B%23%20%C3%A9#f?x&y"),
        ("https://h", "https://h?api_key=k%26%3D%2B%23%20%C3%A9"),
        ("https://h?", "https://h?api_key=k%26%3D%2B%23%20%C3%A9"),
        ("https://h/?api%5Fkey=1&api_key&api_keys=2", "https://h/?api_keys=2&api_key=k%26%3D%2B%23%20%C3%A9"),
    ])
    func `A key is in its query item, once`(before: String, after: String) throws {
        var request = try request(before)
        let authenticator = APIKey(.query("api_key"))
        for _ in 0..<2 { authenticator.apply(Credential("k&=+# é"), to: &request) }
        #expect(request.url?.absoluteString == after)
        #expect(authenticator.credentialHeaders.isEmpty)
    }

    @Test func `The log hides keys under every name, also if the app sets its own lists`() {
        _ = (APIKey(.header("X-Acme-Place")), APIKey(.query("Sort")))
        #expect("\(LoggedHeaders(["x-acme-PLACE": "s3cret", "A": "b"]))" == "A: b, x-acme-PLACE: <redacted>")
        #expect(PreparedText.url("/a?sort=s3cret&page=1") == "/a?sort=…&page=1")
        #expect(!SiestaLog.allShownQueryItems.contains("sort"))
        #expect(SiestaLog.shownQueryItems.contains("sort"))
        #expect(SiestaLog.allRedactedHeaders.isSuperset(of: SiestaLog.redactedHeaders))
    }
}
