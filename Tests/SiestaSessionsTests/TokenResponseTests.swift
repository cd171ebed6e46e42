import CacheTorture
import Foundation
import SiestaCore
import TestKit
import Testing

@testable import SiestaSessions

/// The rules for responses of a token endpoint.
@Suite(.timeLimit(.test))
struct TokenResponseTests {
    private func read(_ status: Int, _ body: String) throws(TokenResponse.Failure) -> TokenResponse {
        try TokenResponse(status: status, body: Data(body.utf8))
    }

    @Test func `A complete response has all values`() throws {
        let text =
            #"{"access_token":"a","token_type":"bearer","expires_in":3600,"refresh_token":"r","scope":"x y","b":[{}]}"#
        let response = try read(200, text)
        #expect(response.accessToken == "a")
        #expect(response.refreshToken == "r")
        #expect(response.lifetime == 3600)
        #expect(response.scope == "x y")
    }

    @Test(
        arguments: [
            ("3600", 3600), (#""3600""#, 3600), ("1.5", 1.5), (#""1e3""#, 1000), ("0", nil), ("-1", nil),
            (#""-1""#, nil),
            (#""NaN""#, nil), (#""nan""#, nil), ("null", nil), ("true", nil), ("[]", nil), (#""soon""#, nil),
            (#""""#, nil),
            ("1e300", TokenResponse.lifetimeLimit), (#""inf""#, TokenResponse.lifetimeLimit),
            ("99999999999999999999999999", TokenResponse.lifetimeLimit),
        ] as [(String, TimeInterval?)])
    func `A lifetime is a positive number, or unknown`(value: String, lifetime: TimeInterval?) throws {
        let response = try read(200, #"{"access_token":"a","expires_in":\#(value)}"#)
        #expect(response.lifetime == lifetime)
        let credential = response.credential(replacing: nil, requestedAt: Date())
        #expect((try? JSONEncoder().encode(credential)) != nil)
    }

    @Test(arguments: [
        "", "{", "null", "[]", #""a""#, "<html>s3cret</html>", "s3cret", "{}", #"{"access_token":""}"#,
        #"{"access_token":1}"#, #"{"access_token":null}"#, #"{"access_token":"s3cret\n"}"#,
        #"{"access_token":"s3crét"}"#, #"{"access_token":"a","token_type":"mac"}"#,
        #"{"access_token":"a","token_type":1}"#, #"{"access_token":"a","token_type":"DPoP"}"#,
        #"{"access_token":"a","refresh_token":"s3cret\u0000"}"#, "access_token=s3cret&token_type=bearer",
        String(repeating: "[", count: 100_000), #"{"a":"# + String(repeating: "[", count: 100_000),
    ])
    func `Other responses are not valid`(body: String) {
        let failure = #expect(throws: TokenResponse.Failure.self) { _ = try read(200, body) }
        guard case .invalid = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        let text = String(describing: failure?.error)
        #expect(!text.contains("s3cr"))
    }

    @Test func `A response is not larger than the limit`() throws {
        let start = #"{"access_token":"a","b":""#
        func body(_ count: Int) -> String {
            start + String(repeating: "x", count: count - start.utf8.count - 2) + #""}"#
        }
        #expect(try read(200, body(100_000)).accessToken == "a")
        #expect(try read(200, body(TokenResponse.sizeLimit)).accessToken == "a")
        #expect(throws: TokenResponse.Failure.self) { _ = try read(200, body(TokenResponse.sizeLimit + 1)) }
    }

    @Test(arguments: [
        (400, "invalid_grant", true), (401, "invalid_grant", true), (401, "invalid_client", true),
        (400, "unauthorized_client", true), (403, "invalid_grant", true), (400, "invalid_request", false),
        (400, "invalid_scope", false), (200, "invalid_grant", false), (200, "bad_verification_code", false),
    ])
    func `An error code ends the session or not`(status: Int, code: String, isFinal: Bool) {
        let body = #"{"error":"\#(code)","error_description":"s3cret","access_token":"s3cret"}"#
        let failure = #expect(throws: TokenResponse.Failure.self) { _ = try read(status, body) }
        #expect(failure == .refused(code, status: status))
        #expect((failure?.refreshError as? SessionExpired) == (isFinal ? SessionExpired(reason: code) : nil))
        #expect((failure?.error.cause as? RequestError.Failure)?.name == code)
        #expect(failure?.error.httpStatusCode == status)
    }

    @Test(arguments: [
        ("", "unknown_error"), ("a b", "unknown_error"), ("s3cret", "unknown_error"), ("a\n", "unknown_error"),
        (String(repeating: "a", count: 65), "unknown_error"), ("Access_Denied", "Access_Denied"),
        ("é", "unknown_error"),
    ])
    func `An error code that may be anything is not shown`(code: String, shown: String) {
        #expect(TokenResponse.cleaned(code) == shown)
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504, 599])
    func `A server that fails does not end the session, whatever the body says`(status: Int) throws {
        let data = Data(#"{"error":"invalid_grant"}"#.utf8)
        let failure = #expect(throws: TokenResponse.Failure.self) {
            _ = try TokenResponse(status: status, body: data, retryAfter: "7")
        }
        let error = try #require(failure?.refreshError as? RequestError)
        #expect(error.httpStatusCode == status)
        #expect(error.retryAfter == 7)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `A redirect is an error even with a token`(status: Int) {
        let failure = #expect(throws: TokenResponse.Failure.self) { _ = try read(status, #"{"access_token":"a"}"#) }
        #expect(failure?.error.code == .invalidTokenResponse)
    }

    @Test(arguments: [100, 400, 401, 404, 418])
    func `Another status without an error code does not end the session`(status: Int) {
        for body in ["", "<html>", "{}", #"{"error":null}"#, #"{"error":{"code":"invalid_grant"}}"#] {
            let failure = #expect(throws: TokenResponse.Failure.self) { _ = try read(status, body) }
            #expect((failure?.refreshError as? RequestError)?.httpStatusCode == status)
        }
    }

    @Test func `A new credential keeps what the response does not say, except the expiration`() throws {
        let now = Date(timeIntervalSinceReferenceDate: 1000)
        let old = Credential("a", refreshToken: "r", expirationDate: now, details: ["scope": "x", "own": "1"])
        let kept = try read(200, #"{"access_token":"b"}"#).credential(replacing: old, requestedAt: now)
        #expect(kept == Credential("b", refreshToken: "r", details: ["scope": "x", "own": "1"]))
        let text = #"{"access_token":"c","refresh_token":"s","expires_in":60,"scope":"y"}"#
        let new = try read(200, text).credential(replacing: old, requestedAt: now)
        #expect(new.secret == "c")
        #expect(new.refreshToken == "s")
        #expect(new.expirationDate == now + 60)
        #expect(new.details == ["scope": "y", "own": "1", "expires_in": "60.0"])
    }

    @Test func `No bytes crash the parser, and no token has control characters`() {
        let text =
            #"{"access_token":"a\n\ud800","token_type":"Bearer","expires_in":"1e9","error":"x","refresh_token":"r"}"#
        var count = 0
        for seed in TestSeed.cases(TestLevel.count(1_000, nightly: 3_000)) {
            var generator = SeededGenerator(seed: seed)
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = .random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(.random(in: 0...255, using: &generator), at: index)
                }
            }
            let status = [200, 200, 201, 400, 401, 500].randomElement(using: &generator) ?? 200
            guard let response = try? TokenResponse(status: status, body: Data(bytes)) else { count += 1; continue }
            #expect(status < 300, "seed \(seed)")
            #expect(!response.accessToken.isEmpty, "seed \(seed)")
            #expect(response.accessToken.utf8.allSatisfy { 0x20...0x7E ~= $0 }, "seed \(seed)")
            #expect(response.lifetime.map { $0 > 0 && $0 <= TokenResponse.lifetimeLimit } ?? true, "seed \(seed)")
        }
        #expect(count > 0)
    }
}
