import Foundation
import LoopbackServer

import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking
@testable import SiestaSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests for tokens, and what their responses do to a credential.
@Suite(.timeLimit(.test))
struct OAuth2Tests {
    private static let tokenURL = URL(string: "https://auth.test/token?a=b")

    private func oauth(
        _ secret: String? = nil, inBody: Bool = false, at url: String? = nil,
        revocation: String? = nil
    ) throws -> OAuth2 {
        OAuth2(
            tokenURL: try #require(url.map { URL(string: $0) } ?? Self.tokenURL), clientID: "app 1",
            clientSecret: secret,
            sendsSecretInBody: inBody, revocationURL: try revocation.map { try #require(URL(string: $0)) })
    }

    // MARK: Requests

    @Test func `A public client sends its identifier in the body`() async throws {
        let network = TokenNetwork(#"{"access_token":"b"}"#)
        _ = try await oauth().refresh(Credential("a", refreshToken: "r&=+ é"), over: network.network)
        let request = try #require(network.requests.first)
        #expect(request.url == Self.tokenURL)
        #expect(request.httpMethod == "POST")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
        #expect(request.value(forHTTPHeaderField: "Accept") == "application/json")
        #expect(request.value(forHTTPHeaderField: "Authorization") == nil)
        #expect(!request.httpShouldHandleCookies)
        #expect(
            network.bodies == ["grant_type=refresh_token&refresh_token=r%26%3D%2B%20%C3%A9&client_id=app%201"])
    }

    @Test func `A client with a secret sends it form-encoded in the field, or in the body`() async throws {
        let network = TokenNetwork(.init(200, #"{"access_token":"b"}"#), .init(200, #"{"access_token":"b"}"#))
        let credential = Credential("a", refreshToken: "r")
        _ = try await oauth("p:é").refresh(credential, over: network.network)
        _ = try await oauth("p:é", inBody: true).refresh(credential, over: network.network)
        let fields = network.requests.map { $0.value(forHTTPHeaderField: "Authorization") }
        #expect(fields == ["Basic " + Data("app%201:p%3A%C3%A9".utf8).base64EncodedString(), nil])
        #expect(
            network.bodies == [
                "grant_type=refresh_token&refresh_token=r",
                "grant_type=refresh_token&refresh_token=r&client_id=app%201&client_secret=p%3A%C3%A9",
            ])
    }

    @Test(arguments: [
        ("https://auth.test/t", true), ("HTTPS://auth.test/t", true), ("http://localhost:80/t", true),
        ("http://127.0.0.1/t", true), ("http://127.1.2.3/t", true), ("http://[::1]:80/t", true),
        ("http://auth.test/t", false), ("http://127.evil.test/t", false), ("http://127.0.0.1.evil.test/t", false),
        ("http://localhost.evil.test/t", false), ("http://127.0.0.256/t", false), ("http://128.0.0.1/t", false),
        ("http://127.0.0.1@evil.test/t", false), ("ftp://localhost/t", false), ("file:///t", false),
        ("https:///t", false), ("/t", false),
    ])
    func `Tokens are sent to secure addresses and to this machine only`(url: String, isSecure: Bool) async throws {
        let network = TokenNetwork(#"{"access_token":"b"}"#)
        let oauth = try oauth(at: url, revocation: url)
        let result = await Result { try await oauth.refresh(Credential("a", refreshToken: "r"), over: network.network) }
        #expect(network.requests.count == (isSecure ? 1 : 0))
        #expect((try? result.get())?.secret == (isSecure ? "b" : nil))
        if case .failure(let error) = result {
            #expect((error as? RequestError)?.code == .insecureAddress)
        }
        await oauth.revoke(Credential("a"), over: network.network)
        #expect(network.requests.count == (isSecure ? 2 : 0))
    }

    // MARK: Refreshing

    @Test func `A new refresh token replaces the old one, which stays otherwise`() async throws {
        let network = TokenNetwork(
            .init(200, #"{"access_token":"b","refresh_token":"s","expires_in":60}"#),
            .init(200, #"{"access_token":"c"}"#))
        let oauth = try oauth()
        let second = try await oauth.refresh(Credential("a", refreshToken: "r"), over: network.network)
        #expect(second.secret == "b")
        #expect(second.refreshToken == "s")
        #expect(second.expirationDate == network.network.now + 60)
        let third = try await oauth.refresh(second, over: network.network)
        #expect(third.secret == "c")
        #expect(third.refreshToken == "s")
        #expect(third.expirationDate == nil)
        #expect(network.bodies.map { $0.contains("refresh_token=s") } == [false, true])
    }

    @Test func `The lifetime begins with the request`() async throws {
        let network = TokenNetwork()
        let (clock, start) = (network.clock, network.network.now)
        let slow = AuthenticationNetwork(clock: clock.clock) { _, completion in
            clock.advance(by: 5)
            completion(NetworkResponse(200, #"{"access_token":"b","expires_in":60}"#))
            return SessionTaskStub()
        }
        let credential = try await oauth().refresh(Credential("a", refreshToken: "r"), over: slow)
        #expect(credential.expirationDate == start + 60)
    }

    private struct SessionTaskStub: RequestNetworking {
        func cancel() {}
        var transferMetrics: RequestTransferMetrics { .nothing }
    }

    @Test(arguments: [(3600.0, 30.0), (60, 30), (10, 5), (2, 1), (nil, 30)] as [(Double?, Double)])
    func `The leeway is at most half of the lifetime`(lifetime: Double?, leeway: Double) throws {
        let oauth = try oauth()
        let expiration = Date(timeIntervalSinceReferenceDate: 1000)
        let details = lifetime.map { ["expires_in": String($0)] } ?? [:]
        let credential = Credential("a", expirationDate: expiration, details: details)
        // A session asks for a time later than the current time by the leeway.
        #expect(oauth.expires(credential, by: expiration - leeway + oauth.leeway))
        #expect(!oauth.expires(credential, by: expiration - leeway + oauth.leeway - 0.5))
        #expect(!oauth.expires(Credential("a"), by: .distantFuture))
    }

    @Test func `Only a refresh token or a client's own credential can be refreshed`() async throws {
        let oauth = try oauth()
        #expect(!oauth.canRefresh(Credential("a")))
        #expect(oauth.canRefresh(Credential("a", refreshToken: "r")))
        let network = TokenNetwork()
        await #expect(throws: SessionExpired()) { _ = try await oauth.refresh(Credential("a"), over: network.network) }
        #expect(network.requests.isEmpty)
    }

    @Test func `A refused refresh token ends the session; a failing server or network does not`() async throws {
        let oauth = try oauth()
        let credential = Credential("a", refreshToken: "r")
        let network = TokenNetwork(
            .init(400, #"{"error":"invalid_grant"}"#), .init(503, "", ["retry-after": "9"]), .init(200, "<html>"))
        await #expect(throws: SessionExpired(reason: "invalid_grant")) {
            _ = try await oauth.refresh(credential, over: network.network)
        }
        let busy = await #expect(throws: RequestError.self) {
            _ = try await oauth.refresh(credential, over: network.network)
        }
        #expect(busy?.httpStatusCode == 503)
        #expect(busy?.retryAfter == 9)
        let invalid = await #expect(throws: RequestError.self) {
            _ = try await oauth.refresh(credential, over: network.network)
        }
        #expect(invalid?.code == .invalidTokenResponse)
        let offline = await #expect(throws: RequestError.self) {
            _ = try await oauth.refresh(credential, over: network.network)
        }
        #expect(offline?.code == .network)
    }

    @Test @MainActor func `A token endpoint over a socket`() async throws {
        let server = try LoopbackServer { exchange in
            let body = String(decoding: exchange.request.body, as: UTF8.self)
            let isFirst = body.contains("refresh_token=r1")
            let answer = #"{"access_token":"b","token_type":"Bearer","refresh_token":"r2","expires_in":"60"}"#
            try exchange.respond(isFirst ? 200 : 401, text: isFirst ? answer : #"{"error":"invalid_grant"}"#)
        }
        let oauth = try oauth(at: server.url("/token").absoluteString)
        let network = AuthenticationNetwork.real()
        let credential = try await oauth.refresh(Credential("a", refreshToken: "r1"), over: network)
        #expect(credential.secret == "b")
        #expect(credential.refreshToken == "r2")
        await #expect(throws: SessionExpired(reason: "invalid_grant")) {
            _ = try await oauth.refresh(credential, over: network)
        }
        #expect(server.requests.allSatisfy { $0.header("Authorization") == nil && $0.header("Cookie") == nil })
    }

    @Test(arguments: ["", "\0\0\0", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", "HTTP/1.1 200 OK\r\n\r\n\u{1}"])
    @MainActor func `Hostile bytes are an error, and do not end the session`(bytes: String) async throws {
        let server = try LoopbackServer { exchange in
            try exchange.send(bytes)
            exchange.close()
        }
        let oauth = try oauth(at: server.url("/token").absoluteString)
        let network = AuthenticationNetwork.real()
        let error = await #expect(throws: (any Error).self) {
            _ = try await oauth.refresh(Credential("a", refreshToken: "r"), over: network)
        }
        #expect(!(error is SessionExpired))
    }

    // MARK: Clients without a user

    @Test func `A client obtains a credential for itself, and refreshes it in the same way`() async throws {
        let network = TokenNetwork(
            .init(200, #"{"access_token":"a"}"#), .init(200, #"{"access_token":"b"}"#),
            .init(401, #"{"error":"invalid_client"}"#), .init(401, #"{"error":"invalid_client"}"#))
        let oauth = try oauth("s")
        let first = try await oauth.clientCredentials(scopes: ["x", "y"], over: network.network)
        #expect(first.secret == "a")
        #expect(oauth.canRefresh(first))
        #expect(try await oauth.refresh(first, over: network.network).secret == "b")
        #expect(network.bodies == Array(repeating: "grant_type=client_credentials&scope=x%20y", count: 2))
        await #expect(throws: SessionExpired(reason: "invalid_client")) {
            _ = try await oauth.refresh(first, over: network.network)
        }
        let error = await #expect(throws: RequestError.self) {
            _ = try await oauth.clientCredentials(over: network.network)
        }
        #expect((error?.cause as? RequestError.Failure)?.name == "invalid_client")
    }

    // MARK: Revocation

    @Test func `Both tokens are revoked, and failures are ignored`() async throws {
        let network = TokenNetwork(.init(503, ""))
        let credential = Credential("a", refreshToken: "r")
        try await oauth().revoke(credential, over: network.network)
        #expect(network.requests.isEmpty)
        try await oauth(revocation: "https://auth.test/revoke").revoke(credential, over: network.network)
        #expect(
            network.bodies == [
                "token=r&token_type_hint=refresh_token&client_id=app%201",
                "token=a&token_type_hint=access_token&client_id=app%201",
            ])
    }
}
