#if os(Linux)
import Isolation
import Foundation
import LoopbackServer
import TestKit
import Testing
import Waiting

@testable import CurlTransport

/// HTTP/2 with a server that misbehaves.
@Suite(
    .enabled(if: ScriptedHTTP2Server.isAvailable, "the Python package h2 is not installed: .ci/servers install"),
    .enabled(if: Certificates.isAvailable, "the openssl program is not installed"), .timeLimit(.test))
struct HTTP2Tests {
    private let certificates: Certificates

    init() async throws {
        certificates = try await Certificates()
    }

    private func get(_ transport: CurlTransport, _ server: ScriptedHTTP2Server, _ path: String) async throws
        -> Result<TransportResponse, TransportError>
    {
        await transport.get(try server.url(path))
    }

    @Test
    func `HTTP/2 is spoken on request alone, since libcurl takes half a body for a whole one there`() async throws {
        let server = try await ScriptedHTTP2Server(certificates)
        let automatic = try server.transport { $0.httpVersion = .automatic }
        #expect(try await get(automatic, server, "/page").get().head.httpVersion == "1.1")
        #expect(try await get(server.transport(), server, "/page").get().head.httpVersion == "2")
        #expect(try await get(server.transport(), server, "/unmeasured").text == "a whole body")
    }

    /// libcurl 7.88 loses some of these responses. Then the request is sent again.
    @Test(arguments: [100, 16_000], ["PUT", "POST"])
    func `A whole response counts although the server needs no more of the request`(_ size: Int, _ method: String)
        async throws
    {
        let server = try await ScriptedHTTP2Server(certificates)
        let transport = try server.transport()
        #expect(try await get(transport, server, "/page").text == "0")
        var request = TransportRequest(method, try server.url("/early"), body: .data(Data(count: size)))
        request.headers["Idempotency-Key"] = "key"
        for _ in 0..<15 {
            let result = await transport.result(request)
            #expect(result.status == 200, "\(result)")
        }
    }

    @Test(arguments: [true, false])
    func `Only what may be repeated, and is short, goes over HTTP/2`(isLong: Bool) async throws {
        let (server, url) = try await (ScriptedHTTP2Server(certificates), "/page")
        let transport = try server.transport()
        let body = TransportRequest.Body.data(Data(count: isLong ? 20_000 : 1000))
        for method in ["GET", "POST", "PATCH", "PUT", "DELETE"] {
            let request = TransportRequest(method, try server.url(url), body: method == "GET" ? .none : body)
            let version = try await transport.result(request).get().head.httpVersion
            let isForHTTP2 = method == "GET" || !isLong && ["PUT", "DELETE"].contains(method)
            #expect(version == (isForHTTP2 ? "2" : "1.1"), "\(method)")
        }
        var request = TransportRequest("POST", try server.url(url), body: .data(Data(count: 9)))
        request.headers.append("Idempotency-Key", "1")
        #expect(try await transport.result(request).get().head.httpVersion == "2")
    }

    @Test func `Requests on one connection do not wait for each other`() async throws {
        let server = try await ScriptedHTTP2Server(certificates)
        let (transport, url) = (try server.transport { $0.connectionsPerHost = 1 }, try server.url("/together/20"))
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { await transport.get(url).text } }
            for await text in group { #expect(text == "0") }
        }
    }

    @Test func `A time-out during which nothing arrived ends the connection`() async throws {
        let server = try await ScriptedHTTP2Server(certificates)
        let transport = try server.transport { $0.idleTimeout = 2 }
        #expect(try await get(transport, server, "/page").text == "0")
        #expect(try await get(transport, server, "/freeze").failureKind == .timedOut(while: .waiting))
        for _ in 0..<8 { #expect(try await get(transport, server, "/page").text == "1") }
    }

    @Test
    func `A request that gets no answer leaves the connection to the others, to which something comes`() async throws {
        let server = try await ScriptedHTTP2Server(certificates)
        let transport = try server.transport { $0.idleTimeout = 2 }
        let url = try server.url("/silent")
        let ended = Gate()
        async let silent = {
            defer { ended.open() }
            return await transport.get(url)
        }()
        while !ended.isOpen { #expect(try await get(transport, server, "/page").text == "0") }
        #expect(await silent.failureKind == .timedOut(while: .waiting))
        #expect(try await get(transport, server, "/page").text == "0")
    }

    @Test
    func `A head that libcurl cannot read is an error that names the headers, and ends its connection`() async throws {
        let server = try await ScriptedHTTP2Server(certificates)
        let transport = try server.transport { $0.idleTimeout = 5 }
        #expect(try await get(transport, server, "/head/50000").status == 200)
        for size in [100_000, 120_000, 156_000, 200_000] {
            let result = try await get(transport, server, "/head/\(size)")
            #expect(result.status == 200 || result.failureKind == .headersTooLarge, "\(result)")
            for number in 0..<4 {
                let request = TransportRequest(
                    "PUT", try server.url("/page/\(size)/\(number)"), body: .data(Data(count: 9)))
                #expect(await transport.result(request).status == 200)
                #expect(server.requests("PUT /page/\(size)/\(number)").count == 1)
            }
        }
    }

    @Test(arguments: ["refuse/1", "refuse/7", "leave/1", "leave/2", "processed/1", "vanish/1", "vanish/2"])
    func `An idempotent request whose connection is lost, or that was refused, is sent again`(_ path: String)
        async throws
    {
        let server = try await ScriptedHTTP2Server(certificates)
        let transport = try server.transport()
        #expect(try await get(transport, server, "/page").status == 200)
        #expect(try await get(transport, server, "/\(path)").status == 200)
        #expect(try await get(transport, server, "/page").status == 200)
    }

    @Test(arguments: ["leave", "vanish"])
    func `A request that is lost again and again fails as a lost connection`(_ name: String) async throws {
        let server = try await ScriptedHTTP2Server(certificates)
        #expect(try await get(server.transport(), server, "/\(name)/1000").failureKind == .connectionLost)
        #expect(server.requests().count < 30)
    }

    @Test func `A POST is never sent twice, whatever becomes of the connections`() async throws {
        let server = try await ScriptedHTTP2Server(certificates)
        let transport = try server.transport()
        #expect(try await get(transport, server, "/page").status == 200)
        let request = TransportRequest("POST", try server.url("/vanish/1"), body: .data(Data(count: 9)))
        #expect(await transport.result(request).failureKind == .outcomeUnknown)
        #expect(server.requests("/vanish").count == 1)
    }

    @Test(arguments: ["garbage/1", "reset/0", "reset/2", "reset/8"])
    func `What is no frame of HTTP/2 harms one connection`(_ path: String) async throws {
        let server = try await ScriptedHTTP2Server(certificates)
        let transport = try server.transport { $0.idleTimeout = 3 }
        #expect(try await get(transport, server, "/page").status == 200)
        let result = try await get(transport, server, "/\(path)")
        if path != "garbage/1" { #expect(result.failureKind == .protocolViolation) }
        for _ in 0..<3 { #expect(try await get(transport, server, "/page").status == 200) }
    }

    @Test(arguments: ["pings", "settings", "hints"])
    func `A flood of frames before a response costs no later request`(_ kind: String) async throws {
        let server = try await ScriptedHTTP2Server(certificates)
        let transport = try server.transport()
        #expect(try await get(transport, server, "/flood/\(kind)/500").status == 200)
        for _ in 0..<3 { #expect(try await get(transport, server, "/page").status == 200) }
    }

    @Test
    func `Of a thousand requests at once, with random cancels, each gets its own response or none`() async throws {
        let server = try await ScriptedHTTP2Server(certificates)
        let transport = try server.transport()
        let cancels = CancelsByCount()
        let (right, cancelled) = try await withThrowingTaskGroup(of: Bool?.self) { group in
            for number in 0..<1000 {
                let url = try server.url("/echo/\(number)")
                group.addTask {
                    let result = await transport.result(TransportRequest("GET", url)) { task in
                        // 334 requests are never cancelled, so every count is reached.
                        if number % 3 > 0 { cancels.cancel(task, after: Int.random(in: 0..<334)) }
                    }
                    cancels.countEnd()
                    if result.failureKind == .cancelled { return nil }
                    return result.text == "/echo/\(number)"
                }
            }
            return try await group.reduce(into: (0, 0)) { sum, isRight in
                if isRight == true { sum.0 += 1 }
                if isRight == nil { sum.1 += 1 }
            }
        }
        #expect(right + cancelled == 1000)
        #expect(right >= 334)
        #expect(cancelled > 0)
    }

    @Test func `A TLS handshake that stands still holds up the other requests for a second`() async throws {
        let server = try await ScriptedHTTP2Server(certificates, stalled: 1)
        let transport = try server.transport { $0.connectTimeout = 60 }
        let firstEnded = Gate()
        let first = Task {
            defer { firstEnded.open() }
            return try await get(transport, server, "/page")
        }
        try await server.waitForStall()
        let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<8 { group.addTask { try await get(transport, server, "/page").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 8))
        #expect(!firstEnded.isOpen, "they waited for the time-out of the first one")
        first.cancel()
    }

    @Test func `A server that closes HTTP/2 connections after some requests, or starts over, loses no request`()
        async throws
    {
        try #require(ChildProcess.program("nginx") != nil)
        let server = try await ServerProcess.nginx(
            certificates, locations: "keepalive_requests 20; location / { return 200 ok; }")
        let transport = try CurlTransport.fresh {
            $0.httpVersion = .http2OverTLS
            $0.unixSocket = server.socket
            $0.caFile = certificates.path("ca.pem")
        }
        for burst in 0..<20 {
            if burst % 5 == 4 { server.reload() }
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        guard let url = URL(string: "https://localhost/\(burst)/\(number)") else { return }
                        let isPost = number % 10 == 0
                        let result = await transport.result(
                            TransportRequest(isPost ? "POST" : "GET", url, body: isPost ? .data(Data(count: 9)) : .none)
                        )
                        if !isPost || result.failureKind != .outcomeUnknown {
                            #expect(result.status == 200, "\(result)")
                        }
                    }
                }
            }
        }
    }
}

/// Cancels exchanges after some number of others have ended.
private final class CancelsByCount: Sendable {
    private let state = Locked((ended: 0, waiting: [(count: Int, task: TransportTask)]()))

    func cancel(_ task: TransportTask, after count: Int) {
        state.withLock { $0.waiting.append((count, task)) }
        cancelDue()
    }

    func countEnd() {
        state.withLock { $0.ended += 1 }
        cancelDue()
    }

    private func cancelDue() {
        let due = state.withLock { state in
            defer { state.waiting.removeAll { $0.count <= state.ended } }
            return state.waiting.filter { $0.count <= state.ended }
        }
        for (_, task) in due { task.cancel() }
    }
}
#endif
