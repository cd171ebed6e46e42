#if os(Linux)
import Foundation
import Isolation
import LoopbackServer
import TestKit
import Testing
import Waiting

@testable import CurlTransport

/// Cancellation in each phase of an exchange: there is one completion, and it does not wait for anything else.
@Suite(.serialized, .timeLimit(.test))
struct CancellationTests {
    /// Starts an exchange, waits for `arrived`, and cancels. No time-out is shorter than the time limit of the test, so
    /// nothing but the cancellation can end the exchange.
    private static func cancel(
        _ request: () -> TransportRequest, into destination: ResponseDestination = .memory,
        arrived: (TransportTask) async throws -> Void
    ) async throws {
        let transport = try CurlTransport.fresh {
            ($0.connectTimeout, $0.idleTimeout, $0.loadTimeout) = (36_000, 36_000, nil)
        }
        let ended = Gate()
        let outcomes = Locked<[TransportError.Kind?]>([])
        let task = transport.start(request(), into: destination) { result in
            outcomes.withLock { $0.append(result.failureKind) }
            ended.open()
        }
        try await arrived(task)
        task.cancel()
        task.cancel()
        await ended.wait()
        task.cancel()
        #expect(outcomes.withLock { $0 } == [.cancelled])
    }

    @Test func `At once`() async throws {
        let server = try LoopbackServer { $0.waitForDisconnect() }
        try await Self.cancel {
            TransportRequest("GET", server.url())
        } arrived: { _ in
        }
    }

    @Test func `While connecting`() async throws {
        let port = try FullPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port.port)/"))
        try await Self.cancel {
            TransportRequest("GET", url)
        } arrived: { _ in
            try await port.waitForAttempt()
        }
    }

    @Test func `While the name is looked up, or right after`() async throws {
        let url = try #require(URL(string: "http://\(UUID().uuidString).invalid/"))
        let transport = try CurlTransport.fresh()
        for _ in 0..<50 {
            let result = await transport.result(TransportRequest("GET", url)) { $0.cancel() }
            #expect([.cancelled, .nameNotFound].contains(result.failureKind))
        }
        #expect(await transport.get(url).failureKind == .nameNotFound)
    }

    @Test func `While encryption is agreed on`() async throws {
        let arrivals = Arrivals()
        let server = try LoopbackServer.serving { connection in
            _ = connection.receive()
            arrivals.arrive()
            connection.waitForDisconnect()
        }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        try await Self.cancel {
            TransportRequest("GET", url)
        } arrived: { _ in
            await arrivals.next()
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nX:", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
    func `While the response is awaited or comes`(_ bytes: String) async throws {
        let arrivals = Arrivals()
        let server = try LoopbackServer { exchange in
            try exchange.send(bytes)
            arrivals.arrive()
            exchange.waitForDisconnect()
        }
        for destination in [ResponseDestination.memory, .consumer(Recorder())] {
            try await Self.cancel({ TransportRequest("GET", server.url()) }, into: destination) { task in
                await arrivals.next()
                try await Poll.until { !bytes.hasSuffix("abc") || task.progress.received > 0 }
            }
        }
        try await Poll.until { server.openConnectionCount == 0 }  // the transport has closed them
    }

    @Test func `While an upload waits for the server, or for its source`() async throws {
        let arrivals = Arrivals()
        let server = try LoopbackServer.serving { connection in
            _ = connection.head()
            arrivals.arrive()
            connection.waitForStop()
        }
        for body: @Sendable () -> TransportRequest.Body in [
            { .stream(EndlessSource(), length: nil) }, { .stream(IdleSource(), length: nil) },
            { .data(Data(count: 50_000_000)) },
        ] {
            try await Self.cancel {
                TransportRequest("PUT", server.url(), body: body())
            } arrived: { _ in
                await arrivals.next()
            }
        }
    }

    @Test func `While a consumer holds everything up; it is told by cancelling its task`() async throws {
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
            while true { try exchange.send(Data(count: 100_000)) }
        }
        try await Self.cancel({ TransportRequest("GET", server.url()) }, into: .consumer(Recorder(gate: Gate()))) {
            task in
            try await Poll.until { task.progress.received >= 524_288 }
        }
    }

    @Test func `While waiting for a free connection`() async throws {
        let arrivals = Arrivals()
        let server = try LoopbackServer { exchange in
            arrivals.arrive()
            exchange.waitForDisconnect()
        }
        let transport = try CurlTransport.fresh { $0.connectionsPerHost = 1 }
        let ended = Locked<[String]>([])
        let (first, second) = (Gate(), Gate())
        let running = transport.start(TransportRequest("GET", server.url())) { _ in
            ended.withLock { $0.append("running") }
            first.open()
        }
        await arrivals.next()
        let queued = transport.start(TransportRequest("GET", server.url())) { _ in
            ended.withLock { $0.append("queued") }
            second.open()
        }
        queued.cancel()
        await second.wait()
        running.cancel()
        await first.wait()
        #expect(ended.withLock { $0 } == ["queued", "running"])
        #expect(server.requests.count == 1)
    }

    @Test func `A cancel inside the completion, or a start, is allowed`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "ok") }
        let transport = try CurlTransport.fresh()
        let text = await withCheckedContinuation { continuation in
            let task = Locked<TransportTask?>(nil)
            let started = transport.start(TransportRequest("GET", server.url())) { _ in
                task.withLock { $0 }?.cancel()
                transport.start(TransportRequest("GET", server.url())) { continuation.resume(returning: $0.text) }
            }
            task.withLock { $0 = started }
        }
        #expect(text == "ok")
    }
}

/// Counts arrivals. Each arrival ends the wait of one waiter.
final class Arrivals: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func arrive() {
        continuation.yield()
    }

    func next() async {
        for await _ in stream { return }
    }
}

/// A source without data until its task is cancelled.
struct IdleSource: BodySource {
    func next() async throws -> Data? { try await Cancellation.wait() }
}
#endif
