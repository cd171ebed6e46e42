#if os(Linux)
import Foundation
import Isolation
import LoopbackServer
import TestKit
import Testing
import Waiting

@testable import CurlTransport

/// Connections: refused, reset, kept, limited.
@Suite(.timeLimit(.test))
struct ConnectionTests {
    @Test func `A port where nobody listens is refused, a name that nobody has is not found`() async throws {
        let socket = try Socket.refusing()
        let transport = try CurlTransport.fresh()
        let url = try #require(URL(string: "http://127.0.0.1:\(try socket.port)/"))
        let refused = await transport.get(url)
        let error = #expect(throws: TransportError.self) { try refused.get() }
        #expect(error?.kind == .refused)
        #expect(error?.errno == ECONNREFUSED)
        #expect(error?.curlCode == 7)
        let unknown = try #require(URL(string: "http://does-not-exist.invalid/"))
        #expect(await transport.get(unknown).failureKind == .nameNotFound)
    }

    @Test(arguments: [
        "accept", "request", "HTTP/1.1 20", "HTTP/1.1 200 OK\r\nX: y\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "HTTP/1.1 200 OK\r\n\r\nabc",
    ])
    func `A reset is a lost connection, whenever it comes`(_ phase: String) async throws {
        let server = try LoopbackServer.serving { connection in
            if phase != "accept" { _ = connection.head() }
            if phase.hasPrefix("HTTP") { try connection.send(phase) }
            connection.reset()
        }
        let transport = try CurlTransport.fresh()
        #expect(await transport.get(server.url()).failureKind == .connectionLost)
    }

    @Test(arguments: [10_000, 20_000_000])
    func `A reset during an upload is a lost connection`(_ size: Int) async throws {
        let server = try LoopbackServer.serving { connection in
            _ = connection.head()
            connection.reset()
        }
        let request = TransportRequest("PUT", server.url(), body: .data(Data(count: size)))
        #expect(await (try CurlTransport.fresh()).result(request).failureKind == .connectionLost)
    }

    @Test(arguments: [true, false])
    func `A reset or an end during the agreement on encryption is a lost connection`(_ isReset: Bool) async throws {
        let server = try LoopbackServer.serving { connection in
            _ = connection.receive()
            if isReset { connection.reset() }
        }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        #expect(await (try CurlTransport.fresh()).get(url).failureKind == .connectionLost)
    }

    @Test func `A connection is used again, and metrics say so`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "\($0.previousRequests)") }
        let transport = try CurlTransport.fresh()
        let first = try await transport.get(server.url()).get()
        #expect(!first.metrics.isReusedConnection)
        #expect(first.metrics.connect > 0)
        let second = try await transport.get(server.url()).get()
        #expect(second.metrics.isReusedConnection)
        #expect(second.metrics.connect == 0)
        #expect(second.metrics.nameLookup == 0)
        #expect(second.metrics.tls == 0)
        #expect(second.metrics.firstByte > 0)
        #expect(second.metrics.total >= second.metrics.firstByte)
        #expect(server.connectionCount == 1)
    }

    @Test(arguments: ["GET", "POST", "PUT"])
    func `A kept connection that the server closes costs no request, whatever its method`(_ method: String) async throws
    {
        let closed = Locked(Gate())
        let server = try LoopbackServer { exchange in
            try exchange.respond(text: exchange.request.method)
            exchange.close()
            closed.withLock { $0 }.open()
        }
        let transport = try CurlTransport.fresh()
        for size in [0, 10, 100_000] {
            for _ in 0..<5 {
                let gate = Gate()
                closed.withLock { $0 = gate }
                let body = method == "GET" ? .none : TransportRequest.Body.data(Data(count: size))
                #expect(await transport.result(TransportRequest(method, server.url(), body: body)).text == method)
                await gate.wait()
            }
        }
        #expect(server.requests.count == 15)
    }

    @Test func `A request survives the end of all kept connections, however many`() async throws {
        let count = 12
        let open = Peak()
        let server = try LoopbackServer.serving { connection in
            guard connection.head() != nil else { return }
            open.enter()
            open.waitUntil(count, atMost: 20)
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            _ = connection.head()
            connection.close()
        }
        let transport = try CurlTransport.fresh { $0.connectionsPerHost = count }
        #expect(await Self.load(transport, [server], count: count) == count)
        #expect(server.connectionCount == count)
        #expect(await transport.get(server.url()).text == "ok")
        #expect(server.connectionCount == count + 1)
    }

    @Test func `Connection: close is kept to, and HTTP/1.0 has no second request`() async throws {
        let server = try LoopbackServer { exchange in
            try exchange.respond(headers: exchange.request.target == "/close" ? ["Connection: close"] : [], text: "ok")
        }
        let transport = try CurlTransport.fresh()
        #expect(await transport.get(server.url("/close")).text == "ok")
        #expect(await transport.get(server.url("/close")).text == "ok")
        #expect(server.connectionCount == 2)
    }

    @Test func `No more connections than allowed, to one host and in all; the rest waits and is served`() async throws {
        let most = Peak()
        let script: LoopbackServer.Script = { exchange in
            most.enter()
            most.waitUntil(3, atMost: 20)
            most.leave()
            try exchange.respond(text: "ok")
        }
        let servers = try (0..<3).map { _ in try LoopbackServer(.ipv4(), script) }
        let perHost = try CurlTransport.fresh { $0.connectionsPerHost = 3 }
        let inAll = try CurlTransport.fresh {
            $0.connectionsPerHost = 4
            $0.connections = 5
            $0.keptConnections = 5
        }
        #expect(await Self.load(perHost, [servers[0]], count: 60) == 60)
        #expect(servers[0].connectionCount == 3)
        #expect(most.value == 3)
        #expect(await Self.load(inAll, servers, count: 90) == 90)
        #expect(most.value <= 5)
    }

    @Test func `Streams have connections of their own, with the same limits`() async throws {
        let (gate, most) = (Gate(), Peak())
        let server = try LoopbackServer { exchange in
            guard exchange.request.target == "/stream" else { return try exchange.respond(text: "ok") }
            most.enter()
            try exchange.wait(for: gate)
            most.leave()
            try exchange.respond(text: "end")
        }
        let transport = try CurlTransport.fresh {
            $0.connectionsPerHost = 2
            $0.connections = 2
        }
        let ended = Locked(0)
        let tasks = (0..<5).map { number in
            transport.start(TransportRequest("GET", server.url("/stream")), into: .consumer(Recorder())) { _ in
                ended.withLock { $0 += 1 }
            }
        }
        try await Poll.until { most.value == 2 }
        #expect(await Self.load(transport, [server], count: 10) == 10)
        #expect((3...4).contains(server.connectionCount))
        tasks[4].cancel()
        try await Poll.until { ended.withLock { $0 } == 1 }
        gate.open()
        try await Poll.until { ended.withLock { $0 } == 5 }
        #expect(most.value == 2)
        #expect(server.requests.count { $0.target == "/stream" } == 4)
    }

    @Test func `A request for a credential waits for no other request`() async throws {
        let gate = Gate()
        let server = try LoopbackServer { exchange in
            if exchange.request.target == "/held" { try exchange.wait(for: gate) }
            try exchange.respond(text: "ok")
        }
        let transport = try CurlTransport.fresh { $0.connectionsPerHost = 1 }
        async let load = transport.get(server.url("/held"))
        async let stream = transport.result(
            TransportRequest("GET", server.url("/held")), into: .consumer(Recorder()))
        try await Poll.until { server.requests.count == 2 }
        var request = TransportRequest("GET", server.url("/token"))
        request.obtainsCredential = true
        #expect(await transport.result(request).text == "ok")
        gate.open()
        #expect(await load.text == "ok")
        #expect(await stream.status == 200)
    }

    /// Starts `count` requests at once. Returns the number of responses.
    private static func load(_ transport: CurlTransport, _ servers: [LoopbackServer], count: Int) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                let server = servers[number % servers.count]
                group.addTask { await transport.get(server.url("/\(number)")).text == "ok" }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test func `Transports with equal options share connections, others do not`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "ok") }
        var options = TransportOptions()
        options.userAgent = UUID().uuidString
        let one = try CurlTransport(options: options)
        let other = try CurlTransport(options: options)
        #expect(await one.get(server.url()).text == "ok")
        #expect(await other.get(server.url()).text == "ok")
        #expect(server.connectionCount == 1)
        options.userAgent = nil
        #expect(await (try CurlTransport.fresh()).get(server.url()).text == "ok")
        #expect(server.connectionCount == 2)
        #expect(server.requests.map { $0.header("User-Agent") != nil } == [true, true, false])
    }
}

/// Records the maximum number of callers that are inside at the same time.
final class Peak: @unchecked Sendable {  // sound: the condition guards its state
    private let condition = NSCondition()
    private var now = 0
    private var most = 0

    var value: Int { condition.withLock { most } }

    func enter() {
        condition.withLock {
            now += 1
            most = max(most, now)
            condition.broadcast()
        }
    }

    /// Waits until this number of callers were inside at the same time, or this number of seconds has passed.
    func waitUntil(_ count: Int, atMost seconds: TimeInterval) {
        let end = Date(timeIntervalSinceNow: seconds)
        condition.withLock {
            while most < count, condition.wait(until: end) {}
        }
    }

    func leave() {
        condition.withLock { now -= 1 }
    }
}
#endif
