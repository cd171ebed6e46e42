#if os(Linux)
import Foundation
import LoopbackServer
import Testing

@testable import CurlTransport

/// Cancellation in each phase of a transfer: there is one completion, and it comes at once.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CancellationTests {
    /// Starts a transfer, waits for `arrived`, cancels, and returns the result. In the best of several attempts, the
    /// time from the cancellation to the completion must be short. Several attempts are needed because the machine may
    /// be busy.
    private static func cancel(
        _ request: () -> TransportRequest, into destination: ResponseDestination = .memory,
        within limit: Duration = .milliseconds(50), arrived: (TransportTask) async throws -> Void
    ) async throws {
        var best = Duration.seconds(100)
        // `make test-thread` sets this variable. The thread sanitizer slows everything down.
        let isSlow = ProcessInfo.processInfo.environment["SIESTA_TEST_EFFORT"] == "reduced"
        let limit = isSlow ? limit * 5 : limit
        for _ in 0..<5 where best > limit {
            let transport = try CurlTransport.fresh()
            let ended = Gate()
            let outcomes = Locked<[(TransportError.Kind?, ContinuousClock.Instant)]>([])
            let task = transport.start(request(), into: destination) { result in
                outcomes.withLock { $0.append((result.failureKind, .now)) }
                ended.open()
            }
            try await arrived(task)
            let start = ContinuousClock.now
            task.cancel()
            task.cancel()
            await ended.wait()
            task.cancel()
            let outcome = outcomes.withLock { $0 }
            #expect(outcome.count == 1)
            #expect(outcome.first?.0 == .cancelled)
            best = min(best, (outcome.first?.1 ?? .now) - start)
        }
        #expect(best < limit)
    }

    @Test("At once")
    func atOnce() async throws {
        let server = try LoopbackServer { $0.waitForDisconnect() }
        try await Self.cancel {
            TransportRequest("GET", server.url())
        } arrived: { _ in
        }
    }

    @Test("While connecting")
    func connecting() async throws {
        let port = try FullPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port.port)/"))
        try await Self.cancel {
            TransportRequest("GET", url)
        } arrived: { _ in
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test("While the name is looked up, or right after")
    func lookingUp() async throws {
        let url = try #require(URL(string: "http://\(UUID().uuidString).invalid/"))
        let transport = try CurlTransport.fresh()
        for _ in 0..<50 {
            let result = await transport.result(TransportRequest("GET", url)) { $0.cancel() }
            #expect([.cancelled, .nameNotFound].contains(result.failureKind))
        }
        #expect(await transport.get(url).failureKind == .nameNotFound)
    }

    @Test("While encryption is agreed on")
    func handshake() async throws {
        let arrivals = Arrivals()
        let server = try LoopbackServer.serving { connection in
            _ = connection.receive()
            arrivals.arrive()
            connection.waitForDisconnect()
        }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        // For the first TLS connection of a transport, its thread reads the authorities of the system, for tens of
        // milliseconds.
        try await Self.cancel({ TransportRequest("GET", url) }, within: .milliseconds(500)) { _ in
            await arrivals.next()
        }
    }

    @Test(
        "While the response is awaited or comes",
        arguments: ["", "HTTP/1.1 200 OK\r\nX:", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
    func response(_ bytes: String) async throws {
        let arrivals = Arrivals()
        let server = try LoopbackServer { exchange in
            try exchange.send(bytes)
            arrivals.arrive()
            exchange.waitForDisconnect()
        }
        for destination in [ResponseDestination.memory, .consumer(Recorder())] {
            try await Self.cancel({ TransportRequest("GET", server.url()) }, into: destination) { task in
                await arrivals.next()
                while bytes.hasSuffix("abc"), task.progress.received == 0 { try await Poll.pause() }
            }
        }
        while server.openConnectionCount > 0 { try await Poll.pause() }  // the transport has closed them
    }

    @Test("While an upload waits for the server, or for its source")
    func uploads() async throws {
        let arrivals = Arrivals()
        let server = try LoopbackServer.serving { connection in
            _ = connection.head()
            arrivals.arrive()
            connection.waitForStop()
        }
        for body: @Sendable () -> TransportRequest.Body in [
            { .stream(EndlessSource(), length: nil) }, { .stream(SleepingSource(), length: nil) },
            { .data(Data(count: 50_000_000)) },
        ] {
            try await Self.cancel {
                TransportRequest("PUT", server.url(), body: body())
            } arrived: { _ in
                await arrivals.next()
            }
        }
    }

    @Test("While a consumer holds everything up; it is told by cancelling its task")
    func held() async throws {
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
            while true { try exchange.send(Data(count: 100_000)) }
        }
        try await Self.cancel({ TransportRequest("GET", server.url()) }, into: .consumer(Recorder(gate: Gate()))) {
            task in
            while task.progress.received < 524_288 { try await Poll.pause() }
        }
    }

    @Test("While waiting for a free connection")
    func queued() async throws {
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

    @Test("A cancel inside the completion, or a start, is allowed")
    func inside() async throws {
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
private struct SleepingSource: BodySource {
    func next() async throws -> Data? {
        try await Task.sleep(for: .seconds(1000))
        return nil
    }
}
#endif
