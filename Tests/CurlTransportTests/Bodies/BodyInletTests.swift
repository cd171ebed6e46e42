#if os(Linux)
import Foundation
import Isolation
import LoopbackServer
import TestKit
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.test))
struct BodyInletTests {
    @Test(arguments: [307, 308])
    func `A source is rewound only once its last call has returned, whose result is dropped`(_ status: Int) async throws
    {
        let source = OverlappingSource()
        let server = try LoopbackServer.serving { connection in
            while var request = connection.head() {
                if request.target == "/" {
                    try connection.wait(for: source.isWaiting)
                    try connection.send("HTTP/1.1 \(status) Moved\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n")
                    connection.waitForDisconnect()
                } else {
                    source.proceed.open()
                    guard try connection.readBody(of: &request) else { return }
                    let body = String(decoding: request.body, as: UTF8.self)
                    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
                }
            }
        }
        let request = TransportRequest("PUT", server.url(), body: .stream(source, length: nil))
        #expect(await (try CurlTransport.fresh()).result(request).text == "first second")
        #expect(!source.hasOverlapped)
        #expect(source.rewinds == 1)
    }

    @Test(arguments: [304, 401, 413, 500])
    func `A response counts while the source has nothing to send`(_ status: Int) async throws {
        let source = OverlappingSource()
        let server = try LoopbackServer.serving { connection in
            _ = connection.head()
            try connection.wait(for: source.isWaiting)
            try connection.send("HTTP/1.1 \(status) No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            connection.waitForDisconnect()
        }
        let request = TransportRequest("PUT", server.url(), body: .stream(source, length: nil))
        #expect(await (try CurlTransport.fresh()).result(request).status == status)
        source.proceed.open()
    }

    @Test func `An inlet that is stopped while it waits for the one before does not touch the source`() async throws {
        let source = OverlappingSource()
        let first = BodyInlet(source, length: nil) {}
        first.begin(rewinding: false)
        await source.isWaiting.wait()
        first.stop()
        let second = BodyInlet(source, length: nil) {}
        second.begin(rewinding: true, after: first)
        second.stop()
        let ready = Arrivals()
        let third = BodyInlet(source, length: nil) { ready.arrive() }
        third.begin(rewinding: true, after: second)
        source.proceed.open()
        #expect(await bytes(of: third, ready) == Array("first second".utf8))
        #expect(source.rewinds == 1)
        #expect(!source.hasOverlapped)
    }

    @Test func `Many small pieces fill one buffer, whatever their sizes`() async throws {
        let (ready, ended) = (Gate(), Gate())
        let data = Data.pattern(10_000)
        let source = EndingSource(PieceSource(data, piece: 7, canRewind: false), ended)
        let inlet = BodyInlet(source, length: nil) { ready.open() }
        inlet.begin(rewinding: false)
        await ended.wait()
        var (received, calls) = ([UInt8](), 0)
        var buffer = [UInt8](repeating: 0, count: 4000)
        while case .bytes(let count) = buffer.withUnsafeMutableBytes({ inlet.take(into: $0) }) {
            received += buffer[..<count]
            calls += 1
        }
        #expect(Data(received) == data)
        #expect(calls == 3)
    }

    /// Returns all bytes that an inlet supplies. It calls `ready` when there are some.
    private func bytes(of inlet: BodyInlet, _ ready: Arrivals) async -> [UInt8] {
        var (result, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 100))
        while true {
            switch buffer.withUnsafeMutableBytes({ inlet.take(into: $0) }) {
            case .bytes(let count): result += buffer[..<count]
            case .later: await ready.next()
            case .end, .failed: return result
            }
        }
    }
}

/// A source that waits at a gate before the first attempt at its second piece, even if it is cancelled.
private final class OverlappingSource: BodySource {
    let isWaiting = Gate()
    let proceed = Gate()
    private let state = Locked(State())

    private struct State {
        var calls = 0
        var position = 0
        var rewinds = 0
        var hasOverlapped = false
    }

    var hasOverlapped: Bool { state.withLock { $0.hasOverlapped } }
    var rewinds: Int { state.withLock { $0.rewinds } }
    var canRewind: Bool { true }

    func next() async throws -> Data? {
        let (position, isHeld) = enter { state in
            defer { state.position += 1 }
            return (state.position, state.position == 1 && state.rewinds == 0)
        }
        defer { leave() }
        if isHeld {
            isWaiting.open()
            await Task.detached { [proceed] in await proceed.wait() }.value
            return Data("late".utf8)
        }
        return [Data("first ".utf8), Data("second".utf8)].dropFirst(position).first
    }

    func rewind() async throws {
        enter { state in
            state.position = 0
            state.rewinds += 1
        }
        leave()
    }

    private func enter<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            if state.calls > 0 { state.hasOverlapped = true }
            state.calls += 1
            return body(&state)
        }
    }

    private func leave() {
        state.withLock { $0.calls -= 1 }
    }
}

/// A source that opens a gate when a piece is requested and none is left.
private struct EndingSource: BodySource {
    let source: PieceSource
    let ended: Gate

    init(_ source: PieceSource, _ ended: Gate) {
        self.source = source
        self.ended = ended
    }

    func next() async throws -> Data? {
        let piece = try await source.next()
        if piece == nil { ended.open() }
        return piece
    }
}
#endif
