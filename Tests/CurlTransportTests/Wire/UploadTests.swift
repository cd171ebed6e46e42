#if os(Linux)
import Foundation
import Isolation
import LoopbackServer
import TestKit
import Testing
import Waiting

@testable import CurlTransport

/// Request bodies: their framing, their sources, and servers that refuse them.
@Suite(.timeLimit(.test))
struct UploadTests {
    private static func file(_ data: Data) throws -> URL {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try data.write(to: file)
        return file
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "GET"], [0, 5, 16_384, 16_385, 3_000_000])
    func `Bytes, files and streams arrive as they are, with their length or in chunks`(_ method: String, _ size: Int)
        async throws
    {
        let server = try LoopbackServer { try $0.respond(text: "ok") }
        let transport = try CurlTransport.fresh()
        let data = Data.pattern(size)
        let file = try Self.file(data)
        defer { try? FileManager.default.removeItem(at: file) }
        let slice = (Data([0]) + data).dropFirst()
        for (body, hasLength) in [
            (TransportRequest.Body.data(data), true), (.data(slice), true), (.file(file), true),
            (.stream(PieceSource(data, piece: 7000, canRewind: false), length: Int64(size)), true),
            (.stream(PieceSource(data, piece: 400_000, canRewind: false), length: nil), false),
        ] {
            let response = try await transport.result(TransportRequest(method, server.url(), body: body)).get()
            #expect(response.metrics.bytesSent == Int64(size))
            let request = try #require(server.requests.last)
            #expect(request.method == method)
            #expect(request.body == data)
            #expect(request.header("Content-Length") == (hasLength ? "\(size)" : nil))
            #expect(request.header("Transfer-Encoding") == (hasLength ? nil : "chunked"))
            #expect(request.header("Expect") == nil)
            #expect(request.header("Content-Type") == nil)
        }
        #expect(server.connectionCount == 2)  // One for bodies in memory, and one for the others.
    }

    @Test func `A request without a body says so where one is usual (RFC 9110, 8.6)`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "ok") }
        let transport = try CurlTransport.fresh()
        for (method, length) in [("POST", "0"), ("PUT", "0"), ("PATCH", "0"), ("GET", nil), ("DELETE", nil)] {
            #expect(await transport.result(TransportRequest(method, server.url())).status == 200)
            #expect(server.requests.last?.header("Content-Length") == length)
        }
    }

    @Test func `What a source cannot keep fails the exchange, and nothing false is taken for complete`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "ok") }
        let transport = try CurlTransport.fresh()
        let data = Data(count: 100_000)
        let file = FileManager.default.temporaryDirectory
        let cases: [(TransportRequest.Body, TransportError.Kind)] = [
            (.stream(PieceSource(data, piece: 1000, canRewind: false), length: 200_000), .bodySource),
            (.stream(PieceSource(data, piece: 1000, canRewind: false), length: 50_000), .bodySource),
            (.stream(PieceSource(data, piece: 1000, canRewind: false), length: 0), .bodySource),
            (.stream(PieceSource(data, piece: 1000, canRewind: false), length: -1), .badRequest),
            (.stream(FailingSource(), length: 0), .bodySource),
            (.stream(FailingSource(), length: nil), .bodySource), (.stream(FailingSource(), length: 99), .bodySource),
            (.file(file.appendingPathComponent(UUID().uuidString)), .file), (.file(file), .file),
            (.file(try #require(URL(string: "http://127.0.0.1/"))), .file),
        ]
        for (body, kind) in cases {
            #expect(await transport.result(TransportRequest("PUT", server.url(), body: body)).failureKind == kind)
        }
        #expect(server.requests.isEmpty)
        let head = TransportRequest("HEAD", server.url(), body: .data(data))
        #expect(await transport.result(head).failureKind == .unsupported)
    }

    @Test func `A FIFO is not a file, and nobody waits for its writer`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try #require(mkfifo(path.path, 0o600) == 0)
        defer { unlink(path.path) }
        let server = try LoopbackServer { try $0.respond(text: "ok") }
        let request = TransportRequest("PUT", server.url(), body: .file(path))
        #expect(await (try CurlTransport.fresh()).result(request).failureKind == .file)
    }

    @Test(arguments: [413, 401, 500])
    func `An answer before the end of the upload counts, and ends the upload`(_ status: Int) async throws {
        let server = try LoopbackServer.serving { connection in
            _ = connection.head()
            try connection.send("HTTP/1.1 \(status) No\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
            connection.finishSending()
            connection.waitForDisconnect()  // reads on, as servers must (RFC 9112, section 9.6)
        }
        let transport = try CurlTransport.fresh()
        let endless = EndlessSource()
        let result = await transport.result(TransportRequest("PUT", server.url(), body: .stream(endless, length: nil)))
        #expect(result.status == status)
        #expect(result.text == "no")
    }

    @Test(arguments: [true, false])
    func `A response that is over ends the upload, as the end of the connection does, whether or not the source waits`(
        sourceWaits: Bool
    ) async throws {
        for (response, isEnded, status, failure) in [
            ("HTTP/1.1 413 No\r\nContent-Length: 2\r\n\r\nno", false, 413, nil),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno", false, 200, nil),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno", true, 200, nil),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n", false, 200, nil),
            ("HTTP/1.1 204 OK\r\n\r\n", false, 204, nil),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", false, 401, nil),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nno", true, nil, .connectionLost),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nno", true, nil, .connectionLost),
            ("HTTP/1.1 103 Early Hints\r\n\r\n", true, nil, .outcomeUnknown), ("", true, nil, .outcomeUnknown),
        ] as [(String, Bool, Int?, TransportError.Kind?)] {
            for length in [nil, sourceWaits ? 1000 : 1 << 40] as [Int64?] {
                let server = try LoopbackServer.serving { connection in
                    _ = connection.head()
                    try connection.send(response)
                    if isEnded { connection.finishSending() }
                    connection.waitForDisconnect()
                }
                let source: any BodySource = sourceWaits ? WaitingSource() : EndlessSource()
                let request = TransportRequest("POST", server.url(), body: .stream(source, length: length))
                let result = try await CurlTransport.fresh().result(request)
                #expect(result.status == status, "\(response) \(isEnded) \(result)")
                #expect(result.failureKind == failure, "\(response) \(isEnded) \(result)")
            }
        }
    }

    @Test func `A cancel ends the source of a body that is announced as empty`() async throws {
        let server = try LoopbackServer.serving { $0.waitForDisconnect() }
        let source = PatientSource()
        let (results, continuation) = AsyncStream<TransportError.Kind?>.makeStream()
        let task = try CurlTransport.fresh().start(
            TransportRequest("POST", server.url(), body: .stream(source, length: 0))
        ) { result in
            if case .failure(let error) = result { continuation.yield(error.kind) } else { continuation.yield(nil) }
        }
        await source.isAsked.wait()
        task.cancel()
        #expect(await results.first { _ in true } == .cancelled)
        await source.isCancelled.wait()
    }

    @Test func `A consumer may be slower than a response that comes while the body is sent`() async throws {
        let server = try LoopbackServer.serving { connection in
            _ = connection.head()
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let piece = Data(count: 100_000)
            for _ in 0..<30 {
                try connection.send("186a0\r\n")
                try connection.send(piece)
                try connection.send("\r\n")
            }
            var body = Data()
            while !body.suffix(5).elementsEqual(Data("0\r\n\r\n".utf8)) {
                let piece = connection.receive()
                guard !piece.isEmpty else { return }
                body += piece
            }
            try connection.send("0\r\n\r\n")
        }
        let transport = try CurlTransport.fresh()
        let halfGiven = Gate()
        let consumer = Recorder(gate: halfGiven)
        let source = SlowSource(try OtherTraffic(of: transport), halfGiven: halfGiven)
        let request = TransportRequest("POST", server.url(), body: .stream(source, length: nil))
        #expect(await transport.result(request, into: .consumer(consumer)).status == 200)
        #expect(consumer.count == 3_000_000)
    }

    @Test(.timeLimit(.test))
    func `A response that is over ends an upload of which the other side takes nothing more`() async throws {
        let isFull = Gate()
        let server = try LoopbackServer.serving { connection in
            _ = connection.head()
            try connection.wait(for: isFull)
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno")
            connection.waitForStop()
        }
        let transport = try CurlTransport.fresh { $0.idleTimeout = 600 }
        let body = TransportRequest.Body.data(Data(count: 30_000_000))
        let tasks = Locked<TransportTask?>(nil)
        async let result = transport.result(TransportRequest("POST", server.url(), body: body)) { task in
            tasks.withLock { $0 = task }
        }
        try await Poll.until { tasks.withLock { $0?.progress.sent ?? 0 } > 0 }
        let sent = try await Poll.untilUnchanged { tasks.withLock { $0?.progress.sent } }
        #expect(sent.map { $0 < 30_000_000 } == true)
        isFull.open()
        #expect(await result.status == 200)
    }

    @Test(arguments: [30, 300_000])
    func `No request follows one whose body the server was asked about, and did not get`(_ size: Int) async throws {
        let server = try LoopbackServer.serving { connection in
            while let request = connection.head() {
                let isFirst = request.method == "POST"
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                if isFirst { connection.waitForDisconnect() }
            }
        }
        let transport = try CurlTransport.fresh()
        let first = TransportRequest(
            "POST", server.url(), headers: ["Expect": "100-continue"], body: .data(Data(count: size)))
        #expect(await transport.result(first).status == 200)
        #expect(await transport.get(server.url()).text == "ok")
    }

    @Test(arguments: ["PUT", "POST"])
    func `A request whose expectation is refused is sent again without it, if its body can be read again`(
        _ method: String
    ) async throws {
        let heads = Counter()
        let server = try LoopbackServer.serving { connection in
            while var request = connection.head() {
                _ = heads.next()
                guard request.header("Expect") == nil else {
                    try connection.send("HTTP/1.1 417 No\r\nContent-Length: 7\r\n\r\nrefused")
                    continue
                }
                guard try connection.readBody(of: &request) else { return }
                let size = "\(request.body.count)"
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size.utf8.count)\r\n\r\n\(size)")
            }
        }
        let transport = try CurlTransport.fresh()
        func request(_ body: TransportRequest.Body) -> TransportRequest {
            TransportRequest(method, server.url(), headers: ["Expect": "100-continue"], body: body)
        }
        for size in [5, 17_000] {
            let result = await transport.result(request(.data(.pattern(size))))
            #expect(result.status == 200, "\(size)")
            #expect(result.text == "\(size)")
        }
        #expect(heads.value == 4)
        for length in [5, nil] as [Int64?] {
            let source = PieceSource(Data("hello".utf8), piece: 5, canRewind: false)
            #expect(await transport.result(request(.stream(source, length: length))).status == 417)
        }
        #expect(heads.value == 6)
    }

    @Test func `A stream is asked ahead only a little`() async throws {
        let (gate, arrived) = (Gate(), Gate())
        let server = try LoopbackServer.serving { connection in
            var request = connection.head()
            arrived.open()
            try connection.wait(for: gate)
            if var read = request, try connection.readBody(of: &read) { request = read }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let source = CountingSource(pieces: 4000, size: 10_000)
        let transport = try CurlTransport.fresh()
        let request = TransportRequest("PUT", server.url(), body: .stream(source, length: nil))
        async let result = transport.result(request)
        await arrived.wait()
        let given = try await Poll.untilUnchanged { source.given }  // the buffers of the system are full
        #expect(given * 10_000 < 12 << 20)
        gate.open()
        #expect(await result.status == 200)
        #expect(source.given == 4000)
    }
}

/// A source that fails after one piece.
private final class FailingSource: BodySource {
    private struct Failure: Error {}
    private let isUsed = Locked(false)

    func next() async throws -> Data? {
        let wasUsed = isUsed.withLock { isUsed in
            defer { isUsed = true }
            return isUsed
        }
        if wasUsed { throw Failure() }
        return Data(count: 10)
    }
}

/// A source that supplies one piece, and then nothing until it is cancelled.
private final class WaitingSource: BodySource {
    private let isUsed = Locked(false)

    func next() async throws -> Data? {
        let wasUsed = isUsed.withLock { isUsed in
            defer { isUsed = true }
            return isUsed
        }
        if wasUsed { try await Cancellation.wait() }
        return Data(count: 10)
    }
}

/// A source that gives nothing, and says when it is asked and when its task is cancelled.
private final class PatientSource: BodySource {
    let isAsked = Gate()
    let isCancelled = Gate()

    func next() async throws -> Data? {
        isAsked.open()
        do {
            try await Cancellation.wait()
        } catch {
            isCancelled.open()
            throw error
        }
    }
}

/// A source of 40 bytes that gives each of them after other exchanges of the transport, so that the transport must wait
/// for it. Opens a gate after 20 bytes.
private final class SlowSource: BodySource {
    private let count = Locked(0)
    private let traffic: OtherTraffic
    private let halfGiven: Gate

    init(_ traffic: OtherTraffic, halfGiven: Gate) {
        self.traffic = traffic
        self.halfGiven = halfGiven
    }

    func next() async throws -> Data? {
        try await traffic.pass()
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number == 20 { halfGiven.open() }
        return number > 40 ? nil : Data(count: 1)
    }
}

/// A source without an end.
struct EndlessSource: BodySource {
    func next() async throws -> Data? { Data(count: 100_000) }
}

/// A source that counts the bytes that it has supplied.
private final class CountingSource: BodySource {
    private let count = Locked(0)
    private let pieces: Int
    private let size: Int

    init(pieces: Int, size: Int) {
        self.pieces = pieces
        self.size = size
    }

    var given: Int { count.withLock { $0 } }

    func next() async throws -> Data? {
        count.withLock { count in
            guard count < pieces else { return nil }
            count += 1
            return Data(count: size)
        }
    }
}
#endif
