#if os(Linux)
import CurlTransport
import Foundation
import FoundationNetworking
import Isolation
import LoopbackServer
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

@MainActor @Suite(.timeLimit(.test))
struct CurlProviderTests {
    // MARK: Choice

    @Test func `A service uses libcurl unless it is given something else`() {
        #expect(Service(baseURL: "http://a.test").context.transport.transport is DefaultProvider)
        let configured = Service(baseURL: "http://a.test", networking: URLSessionConfiguration.ephemeral)
        #expect(configured.context.transport.transport is SessionConfigurationProvider)
        let session = URLSession(configuration: .ephemeral)
        let own = Service(baseURL: "http://a.test", networking: session).context.transport.transport
        #expect((own as? ProviderTransport)?.provider is URLSessionProvider)
        #expect(
            Service(baseURL: "http://a.test", networking: CurlProvider()).context.transport.transport is CurlProvider)
    }

    @Test func `The default gets through what URLSession does not`() async throws {
        let server = try LoopbackServer(.ipv6()) { try $0.send("HTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx") }
        let info = await Service(baseURL: server.url()).resource("/x").load().completion()
        #expect(info.data == Data("x".utf8))
    }

    @Test func `Without libcurl, URLSession is used, and the log says so once a process`() async {
        await #expect(processExitsWith: .success) {
            try await CurlProviderTests.expectFallback()
        }
    }

    private static func expectFallback() async throws {
        let lines = Locked<[String]>([])
        SiestaLog.messageHandler = { category, message in lines.withLock { $0.append("\(category): \(message)") } }
        let server = try LoopbackServer { try $0.respond(text: "x") }
        for _ in 0..<3 {
            let provider = DefaultProvider { false }
            for _ in 0..<2 { #expect(try await provider.answer(server.url()).text == "x") }
            let service = Service(baseURL: server.url(), networking: provider)
            #expect(await service.resource("/x").load().completion().data == Data("x".utf8))
        }
        #expect(lines.withLock { $0.count } == 1)
        #expect(lines.withLock { $0.first }?.contains("Install libcurl.so.4") == true)
        #expect(server.requests.count == 9)
        let working = DefaultProvider { true }
        #expect(try await working.answer(server.url()).text == "x")
        #expect(lines.withLock { $0.count } == 1)
    }

    @Test func `With options that libcurl cannot fulfil, every request fails; nothing else is used in its place`()
        async throws
    {
        let server = try LoopbackServer { try $0.respond() }
        let provider = CurlProvider(.failure(TransportError(.unsupported, "too old")))
        let resource = Service(baseURL: server.url(), networking: provider).resource("/x")
        await resource.load().completion()
        #expect(resource.latestError?.userMessage == "Cannot send request")
        #expect(resource.latestError?.transportError?.kind == .unsupported)
        #expect(server.requests.isEmpty)
    }

    // MARK: Requests

    @Test func `Options reach the transport`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let server = try LoopbackServer(.unix(path: path)) { try $0.respond(text: $0.request.header("Host") ?? "") }
        var options = CurlProvider.Options()
        options.unixSocket = path
        options.userAgent = "conformance/1"
        let service = Service(baseURL: "http://over.a.socket", networking: CurlProvider(options: options))
        let info = await service.resource("/x").load().completion()
        #expect(info.data == Data("over.a.socket".utf8))
        #expect(server.requests.first?.header("User-Agent") == "conformance/1")
    }

    @Test
    func `The time-out of a request outranks the options, unless it is the 60 seconds of every request`() async throws {
        let server = try LoopbackServer.serving { $0.waitForDisconnect() }
        var options = CurlProvider.Options()
        options.idleTimeout = 0.3
        let provider = CurlProvider(options: options)
        #expect(try await provider.answer(server.url()).errorCode == .timedOut)
        var request = URLRequest(url: server.url())
        request.timeoutInterval = 0.2
        options.idleTimeout = 1000
        #expect(try await CurlProvider(options: options).answer(request).errorCode == .timedOut)
    }

    @Test func `A stream that fails ends the request with its error`() async throws {
        let server = try LoopbackServer { try $0.respond() }
        var request = URLRequest(url: server.url())
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(fileAtPath: "/there/is/no/such/file")
        let answer = try await CurlProvider().answer(request)
        #expect(answer.errorCode == .requestBodyStreamExhausted)
    }

    // MARK: Results

    @Test func `A result tells what the network's part of it took`() async throws {
        let server = try LoopbackServer { exchange in
            let isMoved = exchange.request.target == "/moved"
            try exchange.respond(
                isMoved ? 302 : 200, headers: isMoved ? ["Location: /end"] : ["Content-Type: text/plain"], text: "12345"
            )
        }
        var options = CurlProvider.Options()
        options.hostOverrides["metrics.test:1"] = "127.0.0.1"
        let service = Service(baseURL: server.url(), networking: CurlProvider(options: options))
        let first = try #require(await service.resource("/a").load().completion().metrics)
        #expect(first.isReusedConnection == false)
        #expect(first.connect ?? 0 > 0)
        #expect(first.firstByte ?? 0 >= first.connect ?? 1)
        #expect(first.total >= first.firstByte ?? 1)
        #expect(first.secureConnect == nil)
        #expect(first.responseBytes == 5)
        #expect(first.httpVersion == "1.1")
        let post = service.resource("/moved").request(.post, data: Data("abc".utf8), contentType: "text/x")
        let second = try #require(await post.completion().metrics)
        #expect(second.redirects == 1)
        #expect(second.isReusedConnection == true)
        let refused = try Socket.refusing()
        let gone = Service(baseURL: "http://127.0.0.1:\(try refused.port)").resource("/x")
        #expect(await gone.load().completion().metrics != nil)
    }

    @Test func `Without a network's part there is nothing to tell`() async {
        let network = StubNetwork()
        network.answer(.get, "/x", with: .text("x"))
        let resource = Service(baseURL: "http://a.test", networking: network).resource("/x")
        #expect(await resource.load().completion().metrics == nil)
        #expect(await resource.loadIfNeeded()?.completion().metrics == nil)
        let cancelled = resource.load()
        cancelled.cancel()
        #expect(await cancelled.completion().metrics == nil)
    }

    // MARK: Redirects

    @Test(arguments: [301, 302, 303, 307, 308])
    func `A provider that follows no redirects delivers those of a body that can be sent once`(_ status: Int)
        async throws
    {
        let server = try LoopbackServer { try $0.respond(status, headers: ["Location: /to"], text: "moved") }
        var options = TransportOptions()
        options.redirectLimit = nil
        let answer = await putOnce(to: server.url("/from"), with: CurlProvider(options: options))
        #expect(answer.status == status)
        #expect(answer.text == "moved")
        #expect(answer.error == nil)
        #expect(server.requests.map(\.target) == ["/from"])
    }

    @Test(arguments: [
        "Location: ftp://127.0.0.1/", "Location: http://u:p@127.0.0.1/", "Location: /a\r\nLocation: /b", "X: y",
    ])
    func `A redirect that leads nowhere does not ask for a body that can be sent once`(_ header: String) async throws {
        let server = try LoopbackServer { try $0.respond(307, headers: [header]) }
        let answer = await putOnce(to: server.url("/from"), with: CurlProvider())
        #expect(answer.status == 307)
        #expect(answer.error == nil)
    }

    @Test
    func `A redirect that wants a body again which can be sent once is an error, with the status of the redirect`()
        async throws
    {
        let server = try LoopbackServer { try $0.respond(307, headers: ["Location: /to"]) }
        let answer = await putOnce(to: server.url("/from"), with: CurlProvider())
        #expect(answer.status == 307)
        #expect((answer.error as? RequestError.Failure)?.code == .unrepeatableBody)
    }

    private func putOnce(to url: URL, with provider: any StreamingNetworkingProvider) async -> Answer {
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        let pieces = AsyncStream { continuation in
            continuation.yield(Data("body".utf8))
            continuation.finish()
        }
        return await withCheckedContinuation { continuation in
            _ = provider.startRequest(request, body: SequenceBody(pieces, length: 4), receiver: nil) {
                continuation.resume(returning: Answer(response: $0, data: $1, error: $2))
            }
        }
    }

    // MARK: Headers

    @Test func `A response with too many header fields is an error that says so`() async throws {
        let server = try LoopbackServer { try $0.respond(headers: [String](repeating: "x: y", count: 40_000)) }
        let resource = Service(baseURL: server.url()).resource("/x")
        let error = await resource.load().completion().failure
        #expect(error?.userMessage == "The response of the server is too large.")
        #expect((error?.cause as? URLError)?.code == .dataLengthExceedsMaximum)
        #expect(error?.transportError?.kind == .headersTooLarge)
        #expect(error?.transportError?.message.contains("1000 header fields") == true)
    }

    @Test func `A redirect from https to http has a message of its own`() {
        let error = URLError(TransportError(.insecureRedirect, ""))
        #expect(error.code == .appTransportSecurityRequiresSecureConnection)
        let message = RequestError(response: nil, content: nil, cause: error).userMessage
        #expect(message == "The address, or one that the server redirected to, is not secure.")
    }

    @Test func `Headers of a response that nobody had to make are those of one that was made`() async throws {
        let headers = [
            "X-List: a", "x-list: b", "Set-Cookie: a=1", "Set-Cookie: b=2", "ETag: \"1\"", "X-Empty:",
            "Content-Type: Text/Plain; charset=iso-8859-1",
        ]
        let server = try LoopbackServer { try $0.respond(headers: headers, body: Data([0xE9])) }
        let provider = CurlProvider()
        let made = try await provider.answer(server.url())
        let service = Service(baseURL: server.url(), networking: provider)
        guard case .success(let entity) = await service.resource("/").load().completion().response else {
            Issue.record("The load failed")
            return
        }
        #expect(entity.headers == Entity(response: made.response, content: 0).headers)
        #expect(entity.headers["x-list"] == "a, b")
        #expect(entity.headers["set-cookie"] == "a=1")
        #expect(entity.header(forKey: "X-EMPTY") == "")
        #expect(entity.etag == "\"1\"")
        #expect(entity.content as? String == "\u{E9}")
    }
}

extension ResponseInfo {
    /// The bytes of the response, if it is a success that no transformer has changed.
    fileprivate var data: Data? {
        guard case .success(let entity) = response else { return nil }
        return entity.content as? Data
    }
}
#endif
