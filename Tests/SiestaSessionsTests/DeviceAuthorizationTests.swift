import Foundation
import HTTPRules
import SiestaCore
import SiestaTesting
import TestKit
import Testing

@testable import SiestaSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Authorizations by the user on another device (RFC 8628).
@MainActor
@Suite(.timeLimit(.test))
struct DeviceAuthorizationTests {
    private static let codes = """
        {"device_code":"d3v1ce","user_code":"WDJB-MJHT","verification_uri":"https://auth.test/device",\
        "verification_uri_complete":"https://auth.test/device?user_code=WDJB-MJHT","expires_in":1800}
        """
    private static let pending = NetworkResponse(400, #"{"error":"authorization_pending"}"#)
    private static let token = NetworkResponse(200, #"{"access_token":"a","refresh_token":"r","expires_in":60}"#)

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func oauth(_ secret: String? = nil) throws -> OAuth2 {
        OAuth2(tokenURL: try url("https://auth.test/token"), clientID: "tv", clientSecret: secret)
    }

    /// Begins an authorization with the first answer of the network.
    private func authorization(
        _ network: TokenNetwork, at endpoint: String = "https://auth.test/codes", scopes: [String] = []
    ) async throws -> OAuth2.DeviceAuthorization {
        try await oauth().deviceAuthorization(at: try url(endpoint), scopes: scopes, over: network.network)
    }

    /// Moves the clock from timer to timer, and returns the delays.
    private func delays(_ count: Int, of clock: TestClock) async throws -> [TimeInterval] {
        var delays: [TimeInterval] = []
        for _ in 0..<count {
            try await clock.waitForTimers(1)
            let delay = try #require(clock.timers.first)
            delays.append(delay)
            clock.advance(by: delay)
        }
        return delays
    }

    // MARK: The codes

    @Test func `The app receives the codes and the URLs`() async throws {
        let network = TokenNetwork(Self.codes)
        let authorization = try await authorization(network, scopes: ["profile", "mail"])
        #expect(authorization.userCode == "WDJB-MJHT")
        #expect(authorization.verificationURL.absoluteString == "https://auth.test/device")
        let complete = "https://auth.test/device?user_code=WDJB-MJHT"
        #expect(authorization.completeVerificationURL?.absoluteString == complete)
        #expect(authorization.expirationDate == network.network.now + 1800)
        let request = try #require(network.requests.first)
        #expect(request.url?.absoluteString == "https://auth.test/codes")
        #expect(request.httpMethod == "POST")
        #expect(network.bodies == ["scope=profile%20mail&client_id=tv"])
    }

    @Test func `A client with a secret proves its identity`() async throws {
        let network = TokenNetwork(Self.codes)
        _ = try await oauth("s").deviceAuthorization(at: try url("https://auth.test/codes"), over: network.network)
        let field = network.requests.first?.value(forHTTPHeaderField: "Authorization")
        #expect(field == "Basic " + Data("tv:s".utf8).base64EncodedString())
        #expect(network.bodies == [""])
    }

    @Test(arguments: ["http://auth.test/codes", "ftp://localhost/codes", "/codes"])
    func `An endpoint that is not secure is an error, and nothing is sent`(endpoint: String) async throws {
        let network = TokenNetwork(Self.codes)
        let error = await #expect(throws: RequestError.self) {
            _ = try await authorization(network, at: endpoint)
        }
        #expect(error?.code == .insecureAddress)
        #expect(network.requests.isEmpty)
    }

    @Test(arguments: [
        "", "{", "null", "[]", "<html>s3cret</html>", "{}",
        #"{"user_code":"s3cret","verification_uri":"https://auth.test/"}"#,
        #"{"device_code":"s3cret","verification_uri":"https://auth.test/"}"#,
        #"{"device_code":"s3cret","user_code":"s3cret"}"#,
        #"{"device_code":"","user_code":"s3cret","verification_uri":"https://auth.test/"}"#,
        #"{"device_code":"s3cret\n","user_code":"s3cret","verification_uri":"https://auth.test/"}"#,
        #"{"device_code":"s3cret","user_code":"s3crét","verification_uri":"https://auth.test/"}"#,
        #"{"device_code":"s3cret","user_code":"s3cret","verification_uri":"http://s3cret.test/"}"#,
        #"{"device_code":"s3cret","user_code":"s3cret","verification_uri":"javascript:s3cret"}"#,
        #"{"device_code":"s3cret","user_code":"s3cret","verification_uri":7}"#,
    ])
    func `Other responses are not valid, and the error contains no part of them`(body: String) async throws {
        let network = TokenNetwork(body)
        let error = await #expect(throws: RequestError.self) { _ = try await authorization(network) }
        let cause = try #require(error?.cause as? RequestError.Failure)
        #expect(!cause.reason.isEmpty)
        #expect(cause.errorDescription == UserMessages.current.cannotParseResponse)
        #expect(!String(reflecting: error).contains("s3cr"))
    }

    @Test func `A refused request has the code of the server`() async throws {
        let network = TokenNetwork(status: 401, #"{"error":"invalid_client"}"#)
        let error = await #expect(throws: RequestError.self) { _ = try await authorization(network) }
        #expect((error?.cause as? RequestError.Failure)?.name == "invalid_client")
        #expect(error?.httpStatusCode == 401)
    }

    @Test(
        arguments: [
            (#""interval":2"#, 2, 1800), (#""interval":"7""#, 7, 1800), (#""interval":0"#, 1, 1800),
            (#""interval":-1"#, 5, 1800), (#""interval":null"#, 5, 1800), (#""expires_in":"90""#, 5, 90),
            (#""expires_in":0"#, 5, 1800),
        ] as [(String, TimeInterval, TimeInterval)])
    func `The interval and the lifetime have usable values`(
        member: String, interval: TimeInterval, lifetime: TimeInterval
    ) throws {
        let body = """
            {"device_code":"d","user_code":"u","verification_url":"https://auth.test/",\(member)}
            """
        let codes = try DeviceCodes(status: 200, body: Data(body.utf8))
        #expect(codes.interval == interval)
        #expect(codes.lifetime == lifetime)
        #expect(codes.verificationURL.absoluteString == "https://auth.test/")
        #expect(codes.completeVerificationURL == nil)
    }

    // MARK: Polling

    @Test func `The device asks at the interval, which grows if the server asks for it`() async throws {
        let network = TokenNetwork(
            .init(200, Self.codes), Self.pending, .init(400, #"{"error":"slow_down"}"#), Self.pending, Self.token)
        let authorization = try await authorization(network)
        let task = Task { try await authorization.credential(over: network.network) }
        #expect(try await delays(4, of: network.clock) == [5, 5, 10, 10])
        let credential = try await task.value
        #expect(credential.secret == "a")
        #expect(credential.refreshToken == "r")
        #expect(credential.expirationDate == network.network.now + 60)
        let body =
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=d3v1ce&client_id=tv"
        #expect(network.bodies.dropFirst() == Array(repeating: body, count: 4)[...])
    }

    @Test func `After a failure of the network or of the server, the interval doubles`() async throws {
        let network = TokenNetwork(
            .init(200, Self.codes), NetworkResponse(head: nil, body: nil, error: URLError(.timedOut)),
            .init(503, ""), .init(429, "", ["retry-after": "90"]), Self.pending, Self.token)
        let authorization = try await authorization(network)
        let task = Task { try await authorization.credential(over: network.network) }
        #expect(try await delays(5, of: network.clock) == [5, 10, 20, 90, 90])
        #expect(try await task.value.secret == "a")
    }

    @Test func `A failure of a custom provider does not end the wait, but a cancellation by the network does`()
        async throws
    {
        struct Jammed: Error {}
        let failures = [Jammed(), URLError(.cancelled)] as [any Error]
        let responses = failures.map { NetworkResponse(head: nil, body: nil, error: $0) }
        let network = TokenNetwork(.init(200, Self.codes), responses[0], responses[1])
        let authorization = try await authorization(network)
        let task = Task { try await authorization.credential(over: network.network) }
        #expect(try await delays(2, of: network.clock) == [5, 10])
        let error = await #expect(throws: RequestError.self) { _ = try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test(arguments: [
        ("access_denied", "access_denied"), ("expired_token", "expired_token"), ("invalid_grant", "invalid_grant"),
        ("s3cret", "unknown_error"),
    ])
    func `Another error code ends the wait`(sent: String, code: String) async throws {
        let network = TokenNetwork(.init(200, Self.codes), .init(400, #"{"error":"\#(sent)"}"#), Self.token)
        let authorization = try await authorization(network)
        let task = Task { try await authorization.credential(over: network.network) }
        #expect(try await delays(1, of: network.clock) == [5])
        let error = await #expect(throws: RequestError.self) { _ = try await task.value }
        let cause = error?.cause as? RequestError.Failure
        #expect(cause?.name == code)
        #expect(cause?.description == "authorizationRefused: the error code is \(code)")
        #expect(network.requests.count == 2)
    }

    @Test func `When the codes have expired, the device asks no more, whatever the wall clock shows`() async throws {
        let codes = Self.codes.replacing("1800", with: "12")
        let network = TokenNetwork(.init(200, codes), Self.pending, Self.pending, Self.token)
        let authorization = try await authorization(network)
        let task = Task { try await authorization.credential(over: network.network) }
        #expect(try await delays(1, of: network.clock) == [5])
        network.clock.setWallTime(0)
        #expect(try await delays(2, of: network.clock) == [5, 2])
        let error = await #expect(throws: RequestError.self) { _ = try await task.value }
        #expect((error?.cause as? RequestError.Failure)?.name == "expired_token")
        #expect(network.requests.count == 3)
        let again = await #expect(throws: RequestError.self) {
            _ = try await authorization.credential(over: network.network)
        }
        #expect((again?.cause as? RequestError.Failure)?.name == "expired_token")
        #expect(network.requests.count == 3)
    }

    @Test func `A cancelled task stops waiting at once`() async throws {
        let network = TokenNetwork(.init(200, Self.codes), Self.token)
        let authorization = try await authorization(network)
        let task = Task { try await authorization.credential(over: network.network) }
        try await network.clock.waitForTimers(1)
        task.cancel()
        let error = await #expect(throws: RequestError.self) { _ = try await task.value }
        #expect(error?.code == .cancelled)
        network.clock.advance(by: 60)
        #expect(network.requests.count == 1)
    }

    @Test(
        arguments: [
            (.refused("authorization_pending", status: 400), true, 5),
            (.refused("slow_down", status: 400), true, 10), (.refused("access_denied", status: 400), false, 5),
            (.status(500, retryAfter: nil), true, 10), (.status(408, retryAfter: "3"), true, 10),
            (.status(429, retryAfter: "300"), true, 300), (.status(404, retryAfter: nil), false, 5),
            (.invalid("it is not a JSON object"), false, 5),
        ] as [(TokenResponse.Failure, Bool, TimeInterval)])
    func `A failure ends the polling, or makes the interval longer`(
        failure: TokenResponse.Failure, continues: Bool, interval: TimeInterval
    ) {
        var polling = DevicePolling(interval: 5)
        #expect(polling.continues(after: failure) == continues)
        #expect(polling.interval == interval)
    }

    @Test func `Failures do not make the interval longer than a minute, and never shorter`() {
        var (short, long) = (DevicePolling(interval: 5), DevicePolling(interval: 90))
        for _ in 0..<9 {
            short.slowDownAfterFailure()
            long.slowDownAfterFailure()
        }
        #expect(short.interval == 60)
        #expect(long.interval == 90)
    }

    // MARK: Secrets

    @Test func `No text contains a code`() async throws {
        let authorization = try await authorization(TokenNetwork(Self.codes))
        var text = ""
        dump(authorization, to: &text)
        #expect(!(text + "\(authorization)").contains("d3v1ce"))
        #expect(!(text + "\(authorization)").contains("WDJB"))
        let codes = try DeviceCodes(status: 200, body: Data(Self.codes.utf8))
        dump(codes, to: &text)
        #expect(!(text + "\(codes)").contains("d3v1ce"))
    }

    @Test(arguments: ["device_code", "deviceCode", "user_code", "userCode"])
    func `Recorders and logs hide the codes`(name: String) {
        #expect(SecretNames.include(name))
    }

    // MARK: Passwords

    @Test func `A name and a password are exchanged for a credential, which does not contain them`() async throws {
        let network = TokenNetwork(
            .init(200, #"{"access_token":"a","expires_in":60}"#), .init(400, #"{"error":"invalid_grant"}"#))
        let oauth = try oauth()
        let credential = try await oauth.passwordCredentials(
            user: "ada", password: "p&=é", scopes: ["x"], over: network.network)
        #expect(credential.secret == "a")
        #expect(credential.user == nil)
        #expect(!oauth.canRefresh(credential))
        #expect(
            network.bodies == ["grant_type=password&username=ada&password=p%26%3D%C3%A9&scope=x&client_id=tv"])
        let error = await #expect(throws: RequestError.self) {
            _ = try await oauth.passwordCredentials(user: "ada", password: "wrong", over: network.network)
        }
        #expect((error?.cause as? RequestError.Failure)?.name == "invalid_grant")
    }
}
