import Foundation
import LoopbackServer

import TestDoubles
import TestKit
import Testing

@testable import SiestaCaches
@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor @Suite(.timeLimit(.test))
struct SessionConfigurationProviderTests {
    private let provider = SessionConfigurationProvider(.ephemeral)

    // MARK: Responses

    @Test
    func `An answer arrives with status, headers and body, and bytes are counted in both directions`() async throws {
        let server = try LoopbackServer { try $0.respond(headers: ["X-Test: yes"], body: Data(count: 100_000)) }
        let body = Data(repeating: 7, count: 300_000)
        let started = StartedRequest(URLRequest(posting: body, to: server.url()), with: provider)
        let answer = try await started.answer
        #expect(answer.status == 200)
        #expect(answer.response?.value(forHTTPHeaderField: "X-Test") == "yes")
        #expect(answer.data == Data(count: 100_000))
        #expect(answer.error == nil)
        #expect(server.requests.map(\.body) == [body])
        #expect(
            started.networking.transferMetrics
                == RequestTransferMetrics(
                    requestBytesSent: 300_000, requestBytesTotal: 300_000, responseBytesReceived: 100_000,
                    responseBytesTotal: 100_000))
    }

    @Test func `Before anything moves, counts are zero and the response is of unknown size`() async throws {
        let answerIt = Gate()
        let server = try LoopbackServer { exchange in
            try exchange.wait(for: answerIt)
            try exchange.respond()
        }
        let started = StartedRequest(server.url(), with: provider)
        #expect(
            started.networking.transferMetrics
                == RequestTransferMetrics(
                    requestBytesSent: 0, requestBytesTotal: 0, responseBytesReceived: 0, responseBytesTotal: nil))
        answerIt.open()
        #expect(try await started.answer.data?.isEmpty == true)
    }

    @Test func `Bytes are counted while they arrive`() async throws {
        let rest = Gate()
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst")
            try exchange.wait(for: rest)
            try exchange.send("other")
        }
        let started = StartedRequest(server.url(), with: provider)
        let metrics = try await started.metrics { $0.responseBytesReceived > 0 }
        #expect(metrics.responseBytesReceived == 5)
        #expect(metrics.responseBytesTotal == 10)
        rest.open()
        #expect(try await started.answer.text == "firstother")
    }

    @Test func `A body of unknown length counts without a total`() async throws {
        let server = try LoopbackServer {
            try $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        }
        let started = StartedRequest(server.url(), with: provider)
        #expect(try await started.answer.text == "abcde")
        #expect(started.networking.transferMetrics.responseBytesReceived == 5)
        #expect(started.networking.transferMetrics.responseBytesTotal == nil)
    }

    @Test func `A compressed body may be longer than its Content-Length`() async throws {
        let server = try LoopbackServer { try $0.respond(headers: ["Content-Encoding: gzip"], body: Self.gzippedAs) }
        let started = StartedRequest(server.url(), with: provider)
        #expect(try await started.answer.text == String(repeating: "a", count: 1000))
        #expect(started.networking.transferMetrics.responseBytesReceived == 1000)
        #expect(started.networking.transferMetrics.responseBytesTotal == nil)
    }

    @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
    func `A HEAD response, a 204 and a 304 need no body`(method: String, status: Int) async throws {
        let server = try LoopbackServer {
            try $0.send("HTTP/1.1 \(status) Scripted\r\n\(status == 204 ? "" : "Content-Length: 1000\r\n")\r\n")
        }
        var request = URLRequest(url: server.url())
        request.httpMethod = method
        let answer = try await provider.answer(request)
        #expect(answer.status == status)
        #expect(answer.data?.isEmpty == true)
    }

    @Test(arguments: [
        #"Basic realm="x""#, "Bearer", #"Bearer realm="x", error="invalid_token""#,
        #"Digest realm="x", nonce="n", algorithm=MD5, qop="auth""#, #"Negotiate"#, "",
    ])
    func `A 401 with a challenge is an answer with headers and body`(_ challenge: String) async throws {
        let header = challenge.isEmpty ? [] : ["WWW-Authenticate: \(challenge)"]
        let server = try LoopbackServer { try $0.respond(401, headers: header, text: "who are you?") }
        let answer = try await provider.answer(server.url())
        #expect(answer.status == 401)
        #expect(answer.text == "who are you?")
        #expect(answer.error == nil)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["100 Continue", "102 Processing", "103 Early Hints"])
    func `Interim responses are passed over`(status: String) async throws {
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 \(status)\r\nLink: </x>\r\n\r\n")
            try exchange.respond(headers: ["X-Final: yes"], text: "final")
        }
        let answer = try await provider.answer(server.url())
        #expect(answer.status == 200)
        #expect(answer.response?.value(forHTTPHeaderField: "X-Final") == "yes")
        #expect(answer.text == "final")
    }

    @Test func `A stream is sent whole, in one framing`() async throws {
        let server = try LoopbackServer { try $0.respond() }
        var request = URLRequest(posting: Data(), to: server.url())
        request.httpBodyStream = InputStream(data: Data(repeating: 7, count: 100_000))
        request.setValue("100000", forHTTPHeaderField: "Content-Length")
        let started = StartedRequest(request, with: provider)
        #expect(started.networking.transferMetrics.requestBytesTotal == 100_000)
        #expect(try await started.answer.status == 200)
        let received = try #require(server.requests.first)
        #expect(received.body == Data(repeating: 7, count: 100_000))
        #expect((received.header("Content-Length") == nil) == (received.header("Transfer-Encoding") != nil))
    }

    // MARK: Broken servers

    @Test(
        arguments: [false, true],
        [
            "", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        ])
    func `A connection closed too early is an error`(byReset: Bool, sent: String) async throws {
        let server = try LoopbackServer { exchange in
            try exchange.send(sent)
            byReset ? exchange.reset() : exchange.close()
        }
        let answer = try await provider.answer(server.url())
        #expect(answer.response == nil)
        #expect(answer.data?.isEmpty != false)
        #expect(answer.errorCode == .networkConnectionLost, "\(String(describing: answer.error))")
    }

    @Test func `A megabyte of garbage is an error`() async throws {
        let server = try LoopbackServer { exchange in
            try? exchange.send(Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }))
            exchange.close()
        }
        let answer = try await provider.answer(server.url())
        #expect(answer.response == nil)
        #expect(answer.errorCode == .badServerResponse, "\(String(describing: answer.error))")
    }

    @Test(arguments: ["HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 200 OK\r\nBad Header\r\n\r\n"])
    func `A response whose head is not HTTP is an error`(head: String) async throws {
        let server = try LoopbackServer { exchange in
            try exchange.send(head)
            exchange.close()
        }
        #expect(try await provider.answer(server.url()).errorCode == .badServerResponse)
    }

    @Test func `A server that does not speak TLS is an error`() async throws {
        let listener = try Socket.listening()
        let port = try listener.port
        let wake = Pipe()
        let thread = JoinableThread {
            guard let connection = try? listener.accepted(unless: wake) else { return }
            _ = connection.receive()
            try? connection.send(Data("HTTP/1.1 400 Not TLS\r\n\r\n".utf8))
            connection.close()
        }
        let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
        #expect(try await provider.answer(url).errorCode == .secureConnectionFailed)
        thread.join()
    }

    @Test func `A refused connection is an error`() async throws {
        let socket = try Socket.refusing()
        let url = try #require(URL(string: "http://127.0.0.1:\(socket.port)/"))
        #expect(try await provider.answer(url).errorCode == .cannotConnectToHost)
        socket.close()
    }

    @Test(arguments: [nil, "nonsense://x", "relative", "http:///"])
    func `A request without a usable URL is an error`(_ url: String?) async throws {
        var request = URLRequest(url: URL(filePath: "/"))
        request.timeoutInterval = 0.5
        request.url = url.flatMap { URL(string: $0) }
        let answer = try await provider.answer(request)
        #expect(answer.errorCode != nil)
        #expect(url != nil || answer.errorCode == .badURL)
    }

    // MARK: Limits

    @Test(arguments: ["Content-Length: 1001", "X-Nothing: yes"])
    func `A body over the limit is an error, announced or not`(header: String) async throws {
        let provider = SessionConfigurationProvider(.ephemeral, limits: ExchangeLimits(bodyBytes: 1000))
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\n\(header)\r\n\r\n\(String(repeating: "x", count: 1001))")
            exchange.waitForDisconnect()
        }
        let answer = try await provider.answer(server.url())
        #expect(answer.errorCode == .dataLengthExceedsMaximum)
        #expect(answer.response == nil)
    }

    @Test(arguments: [(999, false), (1000, true)])
    func `The limit counts decoded bytes, and lets through what just fits`(limit: Int64, fits: Bool) async throws {
        let provider = SessionConfigurationProvider(.ephemeral, limits: ExchangeLimits(bodyBytes: limit))
        let server = try LoopbackServer { try $0.respond(headers: ["Content-Encoding: gzip"], body: Self.gzippedAs) }
        #expect(try await (provider.answer(server.url()).status == 200) == fits)
    }

    @Test(arguments: [-1, 0, 0.2, 1])
    func `A server that falls silent runs into the time-out of the request, whatever its fraction`(
        seconds: TimeInterval
    ) async throws {
        let server = try LoopbackServer { $0.waitForDisconnect() }
        var request = URLRequest(url: server.url())
        request.timeoutInterval = seconds
        #expect(try await provider.answer(request).errorCode == .timedOut)
    }

    @Test func `A server that falls silent runs into the time-out of the configuration`() async throws {
        let server = try LoopbackServer { $0.waitForDisconnect() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 0.5
        #expect(try await configuration.answer(server.url()).errorCode == .timedOut)
    }

    @Test(arguments: [.infinity, .nan, .greatestFiniteMagnitude, 1e18, 0.5] as [TimeInterval])
    func `Endless time-outs and nonsense do no harm`(seconds: TimeInterval) async throws {
        let server = try LoopbackServer { try $0.respond() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = seconds
        configuration.timeoutIntervalForResource = max(60, seconds)
        var request = URLRequest(url: server.url())
        request.timeoutInterval = seconds
        #expect(try await configuration.answer(request).status == 200)
    }

    @Test func `The total time-out ends a transfer that goes on and on, and one that is redirected`() async throws {
        let server = try LoopbackServer { exchange in
            if exchange.request.target == "/" { return try exchange.respond(302, headers: ["Location: /slow"]) }
            try exchange.send("HTTP/1.1 200 OK\r\n\r\nendless")
            exchange.waitForDisconnect()
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = 0.3
        let answer = try await configuration.answer(server.url())
        #expect(answer.errorCode == .timedOut)
        #expect(answer.response == nil)
    }

    // MARK: Settings

    @Test func `Headers of the configuration are sent, unless the request has its own`() async throws {
        let server = try LoopbackServer { try $0.respond() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-One": "session", "X-Two": "session"]
        var request = URLRequest(url: server.url())
        request.setValue("request", forHTTPHeaderField: "x-two")
        _ = try await configuration.answer(request)
        #expect(server.requests.first?.header("X-One") == "session")
        #expect(server.requests.first?.header("X-Two") == "request")
    }

    @Test func `The configuration is copied when the provider is made, and is not changed`() async throws {
        let server = try LoopbackServer { try $0.respond() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-One": "before"]
        let provider = configuration.siestaNetworkingProvider
        configuration.httpAdditionalHeaders = ["X-One": "after"]
        _ = try await provider.answer(server.url())
        #expect(server.requests.first?.header("X-One") == "before")
        #expect(configuration.httpCookieStorage != nil)
        #expect(configuration.urlCache != nil)
    }

    @Test func `What is safe to keep is kept, what is not is removed`() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["Authorization": "secret"]
        configuration.timeoutIntervalForRequest = 6.5
        configuration.httpMaximumConnectionsPerHost = 3
        configuration.protocolClasses = [StubProtocol.self]
        configuration.connectionProxyDictionary = ["HTTPEnable": 1]
        let hardened = configuration.hardened()
        #expect(hardened.httpAdditionalHeaders == nil)
        #expect(hardened.httpMaximumConnectionsPerHost == 3)
        #expect(hardened.connectionProxyDictionary?["HTTPEnable"] as? Int == 1)
        #expect(hardened.urlCache == nil)
        let keepsProtocol = hardened.protocolClasses?.contains { $0 == StubProtocol.self } == true
        #if os(Linux)
        #expect(!keepsProtocol)
        #expect(configuration.appProtocols.count == 1)  // run outside the session
        #expect(hardened.timeoutIntervalForRequest == 7)
        #expect(hardened.httpCookieStorage == nil)
        #expect(hardened.urlCredentialStorage == nil)
        #else
        #expect(keepsProtocol)
        #endif
    }

    #if os(Linux)
    @Test func `Cookies are neither kept nor put in the place of a header that the request sets`() async throws {
        let server = try LoopbackServer { try $0.respond(headers: ["Set-Cookie: a=server; Path=/"]) }
        var request = URLRequest(url: server.url())
        request.setValue("a=mine", forHTTPHeaderField: "Cookie")
        _ = try await provider.answer(request)
        _ = try await provider.answer(request)
        _ = try await provider.answer(server.url())
        #expect(server.requests.map { $0.header("Cookie") } == ["a=mine", "a=mine", nil])
    }

    @Test func `Protocol classes of the configuration answer its requests`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StubProtocol.self]
        let url = try #require(URL(string: "stub://anything"))
        #expect(try await configuration.answer(url).text == "stubbed")
    }
    #endif

    /// The letter a, 1000 times.
    private nonisolated static let gzippedAs = Data([
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0x4c, 0x1c, 0x05, 0xa3, 0x60, 0x14, 0x0c,
        0x77, 0x00, 0x00, 0x03, 0xda, 0x38, 0x9a, 0xe8, 0x03, 0x00, 0x00,
    ])
}

/// A protocol class that responds to all requests with one word.
private final class StubProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        guard let url = request.url else { return }
        let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 7, textEncodingName: nil)
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("stubbed".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }
}
