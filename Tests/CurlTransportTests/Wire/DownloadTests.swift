#if os(Linux)
import Foundation
import Isolation
import LoopbackServer
import Synchronization
import TestKit
import Testing
import Waiting

@testable import CurlTransport

/// Response bodies that go to a file or a consumer.
@Suite(.timeLimit(.test))
struct DownloadTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
    }

    @Test func `A consumer that is slow gets every byte once, in order`() async throws {
        let body = Data((0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 / 1000) })
        let server = try LoopbackServer.serving { connection in
            _ = connection.head()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4000000\r\n\r\n")
            try connection.send(body)
            connection.waitForDisconnect()
        }
        let transport = try CurlTransport.fresh()
        let consumer = try SlowConsumer(of: transport)
        let result = await transport.result(TransportRequest("GET", server.url()), into: .consumer(consumer))
        #expect(result.status == 200)
        #expect(consumer.taken == body)
    }

    @Test(arguments: [0, 1, 5_000_000])
    func `A file appears whole, replaces what was there, and holds the decoded body`(_ size: Int) async throws {
        let body = Data.pattern(size)
        let server = try LoopbackServer { try $0.respond(body: body) }
        let transport = try CurlTransport.fresh()
        let target = folder.appendingPathComponent("body")
        for _ in 0..<2 {
            let response = try await transport.result(TransportRequest("GET", server.url()), into: .file(target)).get()
            #expect(response.body.isEmpty)
            #expect(response.metrics.bytesReceived == Int64(size))
            #expect(try Data(contentsOf: target) == body)
            #expect(try files == ["body"])
        }
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `The next download removes what a killed process has left`() async throws {
        let server = try LoopbackServer { exchange in
            if exchange.request.target == "/whole" { return try exchange.respond(text: "new") }
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nabc")
            exchange.waitForDisconnect()
        }
        try Data("old".utf8).write(to: folder.appendingPathComponent("body"))
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String, url = server.url() as URL] in
            let target = URL(fileURLWithPath: path + "/body")
            _ = await (try CurlTransport.fresh()).result(TransportRequest("GET", url), into: .file(target)) { task in
                Task {
                    try await Poll.until { task.progress.received > 0 }
                    kill(getpid(), SIGKILL)
                }
            }
        }
        #expect(try Data(contentsOf: folder.appendingPathComponent("body")) == Data("old".utf8))
        let transport = try CurlTransport.fresh()
        let target = folder.appendingPathComponent("body")
        // The file of a download that is running stays.
        async let running = transport.result(TransportRequest("GET", server.url()), into: .file(target)) { task in
            Task {
                try await Poll.until { task.progress.received > 0 }
                let whole = TransportRequest("GET", server.url("/whole"))
                #expect(await transport.result(whole, into: .file(target)).status == 200)
                #expect(try files.count == 2)
                task.cancel()
            }
        }
        #expect(await running.failureKind == .cancelled)
        #expect(try files == ["body"])
        #expect(try Data(contentsOf: target) == Data("new".utf8))
        try FileManager.default.removeItem(at: folder)
    }

    /// Returns a name like those of the hidden files.
    private static func hidden(_ name: String, _ end: String = "part") -> String {
        ".\(name).\(UUID().uuidString).\(end)"
    }

    @Test func `The first download into a folder removes all that killed processes have left, and no other file`()
        async throws
    {
        let left = [Self.hidden("body"), Self.hidden("other"), Self.hidden("body", "part-")]
        let others = [
            ".body.part", "body\(Self.hidden("x"))", ".x.\(UUID().uuidString.dropLast()).part", Self.hidden("y", ""),
        ]
        for name in left + others { try Data("old".utf8).write(to: folder.appendingPathComponent(name)) }
        let server = try LoopbackServer { try $0.respond(text: "new") }
        let transport = try CurlTransport.fresh()
        let target = folder.appendingPathComponent("body")
        #expect(await transport.result(TransportRequest("GET", server.url()), into: .file(target)).status == 200)
        #expect(try Set(files) == Set(others + ["body"]))
        // Later downloads do not list the folder.
        try Data().write(to: folder.appendingPathComponent(left[0]))
        #expect(await transport.result(TransportRequest("GET", server.url()), into: .file(target)).status == 200)
        #expect(try Set(files) == Set(others + ["body", left[0]]))
        try FileManager.default.removeItem(at: folder)
    }

    @Test(arguments: ["\u{65e5}", "x"]) func `A file can have the longest name`(_ character: String) async throws {
        let server = try LoopbackServer { try $0.respond(text: "new") }
        let name = String(repeating: character, count: 255 / character.utf8.count)
        let target = folder.appendingPathComponent(name)
        let transport = try CurlTransport.fresh()
        #expect(await transport.result(TransportRequest("GET", server.url()), into: .file(target)).status == 200)
        #expect(try files == [name])
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `A file is locked until it has its final name`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "new") }
        let transport = try CurlTransport.fresh()
        let target = folder.appendingPathComponent("body")
        let (isDone, end) = (Locked(false), Gate())
        // Another process, which removes all files that are not locked.
        Thread.detachNewThread { [folder] in
            while !isDone.withLock({ $0 }) {
                for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
                where name.hasSuffix(".part") {
                    let path = folder.appendingPathComponent(name).path
                    let opened = open(path, O_RDONLY | O_CLOEXEC)
                    if opened >= 0, flock(opened, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
                    if opened >= 0 { close(opened) }
                }
            }
            end.open()
        }
        for _ in 0..<TestLevel.count(100, nightly: 2000) {
            #expect(await transport.result(TransportRequest("GET", server.url()), into: .file(target)).status == 200)
        }
        isDone.withLock { $0 = true }
        await end.wait()
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `A download that fails, or is cancelled, leaves the old file and nothing else`() async throws {
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nabc")
            if exchange.request.target == "/cut" { return exchange.close() }
            exchange.waitForDisconnect()
        }
        let transport = try CurlTransport.fresh()
        let target = folder.appendingPathComponent("body")
        try Data("old".utf8).write(to: target)
        let cut = TransportRequest("GET", server.url("/cut"))
        #expect(await transport.result(cut, into: .file(target)).failureKind == .connectionLost)
        let held = TransportRequest("GET", server.url("/held"))
        let cancelled = await transport.result(held, into: .file(target)) { task in
            Task {
                try await Poll.until { task.progress.received > 0 }
                task.cancel()
            }
        }
        #expect(cancelled.failureKind == .cancelled)
        #expect(try Data(contentsOf: target) == Data("old".utf8))
        #expect(try files == ["body"])
        let nowhere = folder.appendingPathComponent("missing/body")
        #expect(await transport.result(held, into: .file(nowhere)).failureKind == .file)
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `While a file is incomplete nobody else may read it; then it is as any new one`() async throws {
        let (sent, seen) = (Gate(), Gate())
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
            sent.open()
            try exchange.wait(for: seen)
            try exchange.send("def")
        }
        func mode(_ name: String) throws -> Int? {
            let path = folder.appendingPathComponent(name).path
            return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        let transport = try CurlTransport.fresh()
        let target = folder.appendingPathComponent("body")
        async let result = transport.result(TransportRequest("GET", server.url()), into: .file(target))
        await sent.wait()
        try await Poll.until { try !files.isEmpty }
        #expect(try files.map(mode) == [0o600])
        seen.open()
        #expect(await result.status == 200)
        #expect(FileManager.default.createFile(atPath: folder.appendingPathComponent("new").path, contents: nil))
        #expect(try mode("body") == mode("new"))
        #expect(try files.sorted() == ["body", "new"])
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `A file that takes the place of the incomplete one does not become the target`() async throws {
        let (sent, replaced) = (Gate(), Gate())
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
            sent.open()
            try exchange.wait(for: replaced)
            try exchange.send("def")
        }
        let transport = try CurlTransport.fresh()
        let target = folder.appendingPathComponent("body")
        async let result = transport.result(TransportRequest("GET", server.url()), into: .file(target))
        await sent.wait()
        try await Poll.until { try !files.isEmpty }
        let part = folder.appendingPathComponent(try #require(files.first))
        try FileManager.default.removeItem(at: part)
        try Data("planted".utf8).write(to: part)
        replaced.open()
        #expect(await result.failureKind == .file)
        #expect(!FileManager.default.fileExists(atPath: target.path))
        try FileManager.default.removeItem(at: folder)
    }

    @Test(arguments: [false, true])
    func `An exchange that is cancelled while its consumer finishes succeeds if that does`(_ fails: Bool) async throws {
        let server = try LoopbackServer { try $0.respond(text: "abc") }
        let transport = try CurlTransport.fresh()
        let consumer = SlowFinisher(fails: fails)
        let result = await transport.result(TransportRequest("GET", server.url()), into: .consumer(consumer)) { task in
            Task {
                await consumer.begun.wait()
                task.cancel()
                consumer.proceed.open()
            }
        }
        #expect(result.failureKind == (fails ? .cancelled : nil))
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `A consumer gets the head, the pieces in order, and the end`() async throws {
        let body = Data.pattern(3_000_000)
        let server = try LoopbackServer { exchange in
            if exchange.request.target == "/" {
                return try exchange.respond(302, headers: ["Location: /b"], text: "no")
            }
            try exchange.respond(headers: ["X: y"], body: body)
        }
        let recorder = Recorder()
        let transport = try CurlTransport.fresh()
        let response = try await transport.result(TransportRequest("GET", server.url()), into: .consumer(recorder))
            .get()
        #expect(response.head.headers["X"] == "y")
        #expect(recorder.calls == ["begin 200", "finish"])
        #expect(recorder.body == body)
    }

    @Test func `A consumer that fails ends the exchange; one whose exchange fails is told so`() async throws {
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            if exchange.request.target == "/cut" { return exchange.close() }
            exchange.waitForDisconnect()
        }
        let transport = try CurlTransport.fresh()
        for (failing, calls) in [("begin", ["begin 200"]), ("consume", ["begin 200"])] {
            let recorder = Recorder(failing: failing)
            let result = await transport.result(TransportRequest("GET", server.url()), into: .consumer(recorder))
            #expect(result.failureKind == .bodyConsumer)
            #expect(recorder.calls == calls + ["abandon"])
        }
        let recorder = Recorder()
        let cut = await transport.result(TransportRequest("GET", server.url("/cut")), into: .consumer(recorder))
        #expect(cut.failureKind == .connectionLost)
        #expect(recorder.calls.last == "abandon")
        let nobody = Recorder()
        let refused = TransportRequest(
            "GET", try #require(URL(string: "http://127.0.0.1:\(try Socket.refusing().port)")))
        #expect(await transport.result(refused, into: .consumer(nobody)).failureKind == .refused)
        #expect(nobody.calls.isEmpty)
    }

    @Test func `A slow consumer holds the server back, and memory stays bounded`() async throws {
        let sent = Atomic(0)
        let server = try LoopbackServer { exchange in
            if exchange.request.target == "/silent" { return exchange.waitForDisconnect() }
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 60000000\r\n\r\n")
            for _ in 0..<600 {
                try exchange.send(Data(count: 100_000))
                sent.add(100_000, ordering: .relaxed)
            }
        }
        let recorder = Recorder(gate: Gate())
        let transport = try CurlTransport.fresh { $0.idleTimeout = 0.5 }  // a held exchange is not idle
        async let result = transport.result(TransportRequest("GET", server.url()), into: .consumer(recorder))
        var last = -1
        repeat {  // a silent exchange is idle, and its time-out passes meanwhile
            last = sent.load(ordering: .relaxed)
            #expect(await transport.get(server.url("/silent")).failureKind == .timedOut(while: .waiting))
        } while sent.load(ordering: .relaxed) != last || last == 0
        #expect(last < 20 << 20)  // the rest is in the system's buffers
        recorder.gate?.open()
        #expect(await result.status == 200)
        #expect(recorder.count == 60_000_000)
        #expect(recorder.biggest < 3 << 20)
    }

    @Test
    func `A consumer gets a decoded body in small slices, and other exchanges go on while it waits`() async throws {
        let bomb = try await ChildProcess.output(of: "head -c 100000000 /dev/zero | gzip -9")
        let server = try LoopbackServer { exchange in
            if exchange.request.target == "/small" { return try exchange.respond(text: "small") }
            try exchange.respond(headers: ["Content-Encoding: gzip"], body: bomb)
        }
        let transport = try CurlTransport.fresh()
        let recorder = Recorder(gate: Gate())
        async let result = transport.result(TransportRequest("GET", server.url()), into: .consumer(recorder))
        #expect(await transport.get(server.url("/small")).text == "small")
        recorder.gate?.open()
        #expect(await result.status == 200)
        #expect(recorder.count == 100_000_000)
        #expect(recorder.biggest <= 256 << 10)
    }

    @Test
    func `A consumer gets no body with a known coding that the request does not accept, or with several`() async throws
    {
        let once = try await ChildProcess.output(of: "printf hello | gzip")
        let twice = try await ChildProcess.output(of: "head -c 10000000 /dev/zero | gzip -9 | gzip -9 | gzip -9")
        for (coding, body, accepted) in [("gzip", once, "identity"), ("gzip, gzip, gzip", twice, "gzip")] {
            let server = try LoopbackServer { try $0.respond(headers: ["Content-Encoding: \(coding)"], body: body) }
            var request = TransportRequest("GET", server.url())
            request.headers["Accept-Encoding"] = accepted
            let recorder = Recorder()
            let result = try await CurlTransport.fresh().result(request, into: .consumer(recorder))
            #expect(result.failureKind == .undecodable)
            #expect(recorder.count == 0)
        }
    }

    @Test(arguments: ["damaged", "short", "longer"])
    func `A consumer learns that an encoded body is damaged or ends too early`(_ damage: String) async throws {
        let good = try await ChildProcess.output(of: "head -c 100000 /dev/urandom | gzip")
        var body = good
        switch damage {
        case "damaged": body[body.count - 6] ^= 0xFF
        case "short": body.removeLast(3)
        default: body.append(contentsOf: "no member".utf8)
        }
        let server = try LoopbackServer { [body] in try $0.respond(headers: ["Content-Encoding: gzip"], body: body) }
        let recorder = Recorder()
        let result = try await CurlTransport.fresh().result(
            TransportRequest("GET", server.url()), into: .consumer(recorder))
        #expect(result.failureKind == .undecodable)
        #expect(recorder.calls.last == "abandon")
    }

    @Test func `Progress counts both bodies, against their totals`() async throws {
        let gate = Gate()
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            try exchange.wait(for: gate)
            try exchange.send("defghi")
        }
        let transport = try CurlTransport.fresh()
        let request = TransportRequest("PUT", server.url(), body: .data(Data(count: 50_000)))
        let tasks = Locked<TransportTask?>(nil)
        async let result = transport.result(request) { task in tasks.withLock { $0 = task } }
        var progress = TransportTask.Progress()
        try await Poll.until {
            progress = tasks.withLock { $0?.progress } ?? progress
            return progress.received == 3
        }
        #expect(progress == .init(sent: 50_000, sentTotal: 50_000, received: 3, receivedTotal: 9))
        gate.open()
        let metrics = try await result.get().metrics
        #expect(
            tasks.withLock { $0?.progress } == .init(sent: 50_000, sentTotal: 50_000, received: 9, receivedTotal: 9))
        #expect(metrics.bytesSent == 50_000)
        #expect(metrics.bytesReceived == 9)
        #expect(metrics.httpVersion == "1.1")
    }
}

/// A consumer that the test ends.
private final class SlowFinisher: BodyConsumer {
    struct Failure: Error {}

    let (begun, proceed) = (Gate(), Gate())
    private let fails: Bool

    init(fails: Bool) {
        self.fails = fails
    }

    func consume(_ piece: Data) async throws {}

    func finish() async throws {
        begun.open()
        await proceed.wait()
        if fails { throw Failure() }
    }
}

/// A consumer that records its input. On request, it waits or fails.
final class Recorder: BodyConsumer {
    struct Failure: Error {}

    private struct State {
        var calls: [String] = []
        var body = Data()
        var count = 0
        var biggest = 0
    }

    private let state = Locked(State())
    private let failing: String?
    let gate: Gate?

    init(failing: String? = nil, gate: Gate? = nil) {
        self.failing = failing
        self.gate = gate
    }

    var calls: [String] { state.withLock { $0.calls } }
    var body: Data { state.withLock { $0.body } }
    var count: Int { state.withLock { $0.count } }
    var biggest: Int { state.withLock { $0.biggest } }

    func begin(_ head: ResponseHead) async throws {
        state.withLock { $0.calls.append("begin \(head.status)") }
        if failing == "begin" { throw Failure() }
    }

    func consume(_ piece: Data) async throws {
        await gate?.wait()
        if failing == "consume" { throw Failure() }
        state.withLock { state in
            if gate == nil { state.body += piece }
            state.count += piece.count
            state.biggest = max(state.biggest, piece.count)
        }
    }

    func finish() async throws {
        state.withLock { $0.calls.append("finish") }
    }

    func abandon() async {
        state.withLock { $0.calls.append("abandon") }
    }
}
#endif
