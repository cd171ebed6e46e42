import Foundation
import HTTPRules
import SiestaCore
import TestKit
import Testing

@testable import SiestaSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Authorizations in a browser.
@Suite(.timeLimit(.test))
struct AuthorizationFlowTests {
    private static let redirect = "com.example.app:/callback"

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func flow(
        authorization: String = "https://auth.test/authorize", redirect: String = redirect,
        parameters: [String: String] = [:]
    ) throws -> OAuth2.AuthorizationFlow {
        OAuth2.AuthorizationFlow(
            OAuth2(tokenURL: try url("https://auth.test/token"), clientID: "app"), try url(authorization),
            redirectURL: try url(redirect), scopes: ["a b", "c"], parameters: parameters, state: "state-1",
            verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    }

    @Test func `The URL has all parameters, and the app's do not replace them`() throws {
        let flow = try flow(
            authorization: "https://auth.test/authorize?tenant=1&state=old",
            parameters: ["prompt": "login", "client_id": "other"])
        let text = flow.url.absoluteString
        #expect(text.hasPrefix("https://auth.test/authorize?tenant=1&prompt=login&"))
        let items = QueryText.items(of: String(text.drop { $0 != "?" }.dropFirst()))
        #expect(
            Dictionary(items.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0) and \($1)" }) == [
                "tenant": "1", "prompt": "login", "response_type": "code", "client_id": "app",
                "redirect_uri": Self.redirect, "scope": "a b c", "state": "state-1", "code_challenge_method": "S256",
                "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",  // RFC 7636, appendix B
            ])
    }

    @Test func `Each flow has its own random values of 32 bytes`() throws {
        let texts = Set((0..<100).map { _ in RandomText.make() })
        #expect(texts.count == 100)
        #expect(texts.allSatisfy { $0.utf8.count == 43 && !$0.contains { "+/=".contains($0) } })
        let oauth = OAuth2(tokenURL: try url("https://auth.test/token"), clientID: "app")
        let urls = try (0..<2).map { _ in
            oauth.authorizationFlow(
                authorizationURL: try url("https://auth.test/"), redirectURL: try url(Self.redirect)
            ).url
        }
        #expect(urls[0] != urls[1])
    }

    @Test func `The code is exchanged with the verifier`() async throws {
        let network = TokenNetwork(#"{"access_token":"a","refresh_token":"r","expires_in":60,"scope":"c"}"#)
        let callback = try url("COM.example.app:/callback?code=c%2B1&state=state-1&iss=x#_=_")
        let credential = try await flow().credential(from: callback, over: network.network)
        #expect(credential.secret == "a")
        #expect(credential.refreshToken == "r")
        #expect(credential.details["scope"] == "c")
        #expect(
            network.bodies == [
                "grant_type=authorization_code&code=c%2B1&redirect_uri=com.example.app%3A%2Fcallback"
                    + "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk&client_id=app"
            ])
    }

    @Test(arguments: [
        "com.example.app:/callback", "com.example.app:/callback?code=c", "com.example.app:/callback?code=c&state=",
        "com.example.app:/callback?code=c&state=state-2", "com.example.app:/callback?code=c&state=state-11",
        "com.example.app:/callback?code=c&state=state-1&state=state-1",
        "com.example.app:/callback?code=c&code=d&state=state-1", "com.example.app:/callback?code=&state=state-1",
        "com.example.app:/callback?state=state-1", "com.example.app:/callback#code=c&state=state-1",
        "com.example.app:/other?code=c&state=state-1", "com.evil.app:/callback?code=c&state=state-1",
        "com.example.app://host/callback?code=c&state=state-1",
        "com.example.app:/callback?error=access_denied", "com.example.app:/callback?error=access_denied&state=x",
    ])
    func `Another URL is no callback, and nothing is sent`(callback: String) async throws {
        let network = TokenNetwork(#"{"access_token":"a"}"#)
        let (flow, callback) = (try flow(), try url(callback))
        let error = await #expect(throws: RequestError.self) {
            _ = try await flow.credential(from: callback, over: network.network)
        }
        #expect(error?.code == .invalidCallback)
        #expect(network.requests.isEmpty)
    }

    @Test func `A callback with many combining marks is read in linear time`() throws {
        let redirect = try url(Self.redirect)
        let growth = try Growth(of: 1_000) { count in
            let marks = String(repeating: "%CC%81%CC%A3", count: count)
            return try ["\(Self.redirect)?state\(marks)=x", "\(Self.redirect)\(marks)?code=c"].map(url)
        } _: { callbacks in
            for callback in callbacks {
                #expect(throws: RequestError.self) {
                    try AuthorizationCallback.code(in: callback, redirectURL: redirect, state: "state-1")
                }
            }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `A refusal has the code of the server`() async throws {
        let network = TokenNetwork(status: 400, #"{"error":"invalid_grant"}"#)
        let flow = try flow()
        for (query, code) in [
            ("error=access_denied&error_description=s3cret", "access_denied"), ("error=s3cret", "unknown_error"),
            ("code=c", "invalid_grant"),
        ] {
            let callback = try url("\(Self.redirect)?\(query)&state=state-1")
            let error = await #expect(throws: RequestError.self) {
                _ = try await flow.credential(from: callback, over: network.network)
            }
            #expect((error?.cause as? RequestError.Failure)?.name == code)
        }
    }

    @Test func `A redirect URL of this machine matches with its port and path`() async throws {
        for (redirect, text, isSame) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8081/", false),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/", true),
            ("http://127.0.0.1:80", "http://127.0.0.1/", true),
        ] {
            let network = TokenNetwork(#"{"access_token":"a"}"#)
            let flow = try flow(redirect: redirect)
            let callback = try url(text + "?code=c&state=state-1")
            let credential = try? await flow.credential(from: callback, over: network.network)
            #expect(credential?.secret == (isSame ? "a" : nil))
        }
    }

    @Test func `An authorization endpoint that is not secure is an error`() async throws {
        let flow = try flow(authorization: "http://auth.test/authorize")
        let callback = try url("\(Self.redirect)?code=c&state=state-1")
        let error = await #expect(throws: RequestError.self) {
            _ = try await flow.credential(from: callback, over: TokenNetwork().network)
        }
        #expect(error?.code == .insecureAddress)
    }

    @Test func `States are equal if all bytes are`() {
        for (one, other) in [("", ""), ("a", "a"), ("é", "é")] { #expect(AuthorizationCallback.isEqual(one, other)) }
        for (one, other) in [("", "a"), ("ab", "aa"), ("ba", "aa"), ("é", "e\u{301}")] {
            #expect(!AuthorizationCallback.isEqual(one, other))
        }
    }
}
