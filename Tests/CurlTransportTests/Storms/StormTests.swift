#if os(Linux)
import Foundation
import Isolation
import LoopbackServer
import TestKit
import Testing
import Waiting

@testable import CurlTransport

/// Many operations at once, each storm in a separate process, so that leftover resources can be counted.
///
/// At the level ``TestLevel/soak``, the numbers of operations are those that a release must pass. Otherwise they are
/// small.
@Suite(.serialized, .timeLimit(.model))
struct StormTests {
    @Test func `Of thousands of requests with random cancels, each completes once; descriptors and memory stay flat`()
        async throws
    {
        let process = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let server = try Storm.server()
            let transport = try CurlTransport.fresh { $0.connectionsPerHost = 64 }
            await Storm(transport, server).run(count: TestLevel.count(2_000, nightly: 5_000))
            let before = (ProcessMemory.descriptors, ProcessMemory.resident)
            let storm = Storm(transport, server)
            await storm.run(count: TestLevel.count(3_000, nightly: 10_000, soak: 100_000))
            #expect(storm.completions.allSatisfy { $0 == 1 })
            #expect(storm.unexpected.isEmpty)
            #expect(storm.cancelled > storm.completions.count / 10)
            #expect(storm.answered > storm.completions.count / 4)
            #expect(ProcessMemory.descriptors <= before.0 + 2 * 64)  // both ends of kept connections
            #expect(ProcessMemory.resident <= before.1 + 24 << 20)
            TestLevel.report(
                "storm: \(storm.completions.count) requests, \(storm.cancelled) cancelled, "
                    + "\(storm.answered) answered, memory \((ProcessMemory.resident - before.1) >> 10) KB more, "
                    + "descriptors \(before.0) -> \(ProcessMemory.descriptors), unexpected \(storm.unexpected)")
        }
        show(process)
    }

    @Test func `Transports that come and go in the middle of their exchanges leave no thread and no descriptor`()
        async throws
    {
        let process = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let server = try Storm.server()
            try await Self.startAndStop(10, server)
            try await Self.settle()
            let before = (ProcessMemory.descriptors, Self.threads, ProcessMemory.resident)
            try await Self.startAndStop(TestLevel.count(20, nightly: 50, soak: 500), server)
            try await Self.settle()
            #expect(ProcessMemory.descriptors <= before.0)
            #expect(Self.threads <= before.1 + 4)  // the number of threads of the task pool varies
            #expect(ProcessMemory.resident <= before.2 + 24 << 20)
            TestLevel.report(
                "start and stop: descriptors \(before.0) -> \(ProcessMemory.descriptors), threads \(before.1) -> "
                    + "\(Self.threads), memory \((ProcessMemory.resident - before.2) >> 10) KB more")
        }
        show(process)
    }

    @Test(.enabled(if: ScriptedHTTP2Server.isAvailable, "the Python package h2 is not installed: .ci/servers install"))
    func `An HTTP/2 server that refuses, resets and vanishes loses no request, and gets no POST twice`() async throws {
        let process = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let server = try await ScriptedHTTP2Server(try await Certificates())
            let transport = try server.transport()
            await HTTP2Storm(transport, server, name: "first").run(count: TestLevel.count(400, nightly: 800))
            let before = (ProcessMemory.descriptors, ProcessMemory.resident)
            let storm = HTTP2Storm(transport, server, name: "second")
            await storm.run(count: TestLevel.count(600, nightly: 1_600, soak: 64_000))
            #expect(storm.lost.isEmpty)
            #expect(ProcessMemory.descriptors <= before.0 + 16)
            #expect(ProcessMemory.resident <= before.1 + 24 << 20)
            let posts = storm.postsThatArrived
            #expect(Set(posts).count == posts.count)
            #expect(posts.count >= storm.posts - storm.unknown)
            let (sent, unknown) = (storm.posts, storm.unknown)
            TestLevel.report(
                "HTTP/2: \(sent) POSTs, \(posts.count) arrived, \(unknown) unknown, lost \(storm.lost.prefix(9)), memory "
                    + "\((ProcessMemory.resident - before.1) >> 10) KB more, descriptors \(before.0) -> \(ProcessMemory.descriptors)"
            )
        }
        show(process)
    }

    /// Creates transports, starts exchanges, cancels some of them, and releases the transport before they are complete.
    private static func startAndStop(_ count: Int, _ server: LoopbackServer) async throws {
        for number in 0..<count {
            let requests = 8
            let ended = Arrivals()
            do {
                let transport = try CurlTransport.fresh()
                for index in 0..<requests {
                    let path = index % 3 == 0 ? "/held" : "/\(number)"
                    let destination = index % 4 == 1 ? ResponseDestination.consumer(Recorder()) : .memory
                    let task = transport.start(TransportRequest("GET", server.url(path)), into: destination) { _ in
                        ended.arrive()
                    }
                    if index % 3 == 0 { Task { task.cancel() } }
                }
            }
            for _ in 0..<requests { await ended.next() }
        }
    }

    private static var threads: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }

    /// Waits until the numbers stop changing.
    private static func settle() async throws {
        _ = try await Poll.untilUnchanged { [ProcessMemory.descriptors, threads] }
    }
}

/// Prints the output of a test's process.
private func show(_ process: ExitTest.Result?) {
    process.map { TestLevel.report(String(decoding: $0.standardErrorContent, as: UTF8.self)) }
}

/// Many requests of all kinds, 64 at a time. Some of them are cancelled at random times.
final class Storm: Sendable {
    private struct State {
        var random: UInt64 = 88_172_645_463_325_252
        var completions: [UInt8] = []
        var unexpected: [TransportError.Kind] = []
        var cancelled = 0
        var answered = 0
        var next = 0
    }

    private let state = Locked(State())
    private let transport: CurlTransport
    private let server: LoopbackServer

    init(_ transport: CurlTransport, _ server: LoopbackServer) {
        self.transport = transport
        self.server = server
    }

    var completions: [UInt8] { state.withLock { $0.completions } }
    var unexpected: [TransportError.Kind] { state.withLock { $0.unexpected } }
    var cancelled: Int { state.withLock { $0.cancelled } }
    var answered: Int { state.withLock { $0.answered } }

    /// A server that responds, redirects, breaks off or waits, depending on the path. It records nothing.
    static func server() throws -> LoopbackServer {
        let large = "HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\n" + String(repeating: "x", count: 50_000)
        return try LoopbackServer.serving { connection in
            while let request = try connection.request() {
                switch request.target {
                case "/held": return connection.waitForDisconnect()
                case "/redirect":
                    try connection.send("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")
                case "/cut": return try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
                case "/large": try connection.send(large)
                default: try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                }
            }
        }
    }

    func run(count: Int) async {
        state.withLock { $0.completions = Array(repeating: 0, count: count) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask { [self] in
                    while let number = next() { await one(number) }
                }
            }
        }
    }

    private func next() -> Int? {
        state.withLock { state in
            guard state.next < state.completions.count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    private func random(_ bound: UInt64) -> UInt64 {
        state.withLock { state in
            state.random ^= state.random << 13
            state.random ^= state.random >> 7
            state.random ^= state.random << 17
            return state.random % bound
        }
    }

    private func one(_ number: Int) async {
        let (choice, moment) = (random(16), random(4))
        let mustCancel = choice == 0
        let path =
            ["/held", "/redirect", "/cut", "/large", "/large"].indices.contains(Int(choice))
            ? ["/held", "/redirect", "/cut", "/large", "/large"][Int(choice)] : "/"
        let body: TransportRequest.Body =
            switch choice {
            case 4: .stream(PieceSource(Data(count: 40_000), piece: 9000, canRewind: false), length: nil)
            case 5: .data(Data(count: 30_000))
            case 6: .data(Data(count: 30))
            default: .none
            }
        let destination = choice == 3 ? ResponseDestination.consumer(Recorder()) : .memory
        let ended = Gate()
        let request = TransportRequest(choice < 4 ? "GET" : choice < 8 ? "PUT" : "GET", server.url(path), body: body)
        let task = transport.start(request, into: destination) { [self] result in
            note(result, of: number, path)
            ended.open()
        }
        if mustCancel || moment == 0 {
            let moment = Duration.microseconds(Int64(random(300)))
            if moment == .zero { task.cancel() } else { Moment.after(moment) { task.cancel() } }
        }
        await ended.wait()
    }

    private func note(_ result: Result<TransportResponse, TransportError>, of number: Int, _ path: String) {
        state.withLock { state in
            state.completions[number] += 1
            switch result.failureKind {
            case nil: state.answered += 1
            case .cancelled: state.cancelled += 1
            case .connectionLost where path == "/cut": break
            case let kind?: state.unexpected.append(kind)
            }
        }
    }
}
#endif
