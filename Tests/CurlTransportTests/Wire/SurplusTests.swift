#if os(Linux)
import Foundation
import Isolation
import LoopbackServer
import TestKit
import Testing

@testable import CurlTransport

/// Bytes that servers send without a request.
@Suite(.timeLimit(.test))
struct SurplusTests {
    private static let surplus = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL"

    static let kinds = [
        surplus, surplus + surplus, "x", "\r\n",
        "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        "",  // the end of the connection
    ]

    /// Responds to each request with its path. After a response for `/first`, sends `surplus` or closes the connection,
    /// and then opens the gate `sent`.
    private static func server(
        at address: LoopbackAddress = .ipv4(), after surplus: String, sent: Gate
    ) throws -> LoopbackServer {
        try LoopbackServer(address) { exchange in
            try exchange.respond(text: exchange.request.target)
            guard exchange.request.target == "/first" else { return }
            if surplus.isEmpty { exchange.close() } else { try exchange.send(surplus) }
            sent.open()
        }
    }

    @Test(
        arguments: kinds,
        ["GET", "POST"])
    func `What comes on an idle connection neither answers nor fails the next request`(
        _ surplus: String, _ method: String
    ) async throws {
        let sent = Gate()
        let server = try Self.server(after: surplus, sent: sent)
        let transport = try CurlTransport.fresh()
        #expect(await transport.get(server.url("/first")).text == "/first")
        await sent.wait()
        for path in ["/second", "/third"] {
            #expect(await transport.result(TransportRequest(method, server.url(path))).text == path)
        }
        #expect(server.requests.count == 3)
    }

    /// The completion that starts the second request runs on the transport's thread. Therefore this thread sees no
    /// event between the two requests.
    @Test(arguments: kinds, [true, false])
    func `Nor does it if the next request begins at once`(_ surplus: String, _ hasPort: Bool) async throws {
        let path = "/tmp/\(UUID().uuidString.prefix(12)).socket"
        defer { unlink(path) }
        let sent = Gate()
        let server = try Self.server(at: hasPort ? .ipv4() : .unix(path: path), after: surplus, sent: sent)
        let transport = try CurlTransport.fresh { $0.unixSocket = hasPort ? nil : path }
        let second = await withCheckedContinuation { continuation in
            transport.start(TransportRequest("GET", server.url("/first"))) { _ in
                sent.block(orUntil: Gate())
                transport.start(TransportRequest("POST", server.url("/second"), body: .data(Data("abc".utf8)))) {
                    continuation.resume(returning: $0)
                }
            }
        }
        #expect(second.failureKind == nil)
        #expect(second.text == "/second")
        #expect(server.requests.map(\.target) == ["/first", "/second"])
    }

    @Test func `A body that cannot be sent twice is whole after a change of the connection`() async throws {
        let sent = Gate()
        let server = try Self.server(after: Self.surplus, sent: sent)
        let transport = try CurlTransport.fresh()
        let body = Data.pattern(300_000)
        let second = await withCheckedContinuation { continuation in
            transport.start(TransportRequest("GET", server.url("/first"))) { _ in
                sent.block(orUntil: Gate())
                let source = PieceSource(body, piece: 7000, canRewind: false)
                transport.start(TransportRequest("POST", server.url("/second"), body: .stream(source, length: nil))) {
                    continuation.resume(returning: $0)
                }
            }
        }
        #expect(second.text == "/second")
        #expect(server.requests.last?.body == body)
    }

    @Test
    func `What comes after a response whose consumer was slow does not answer the next request either`() async throws {
        let (taken, sent) = (Gate(), Gate())
        let server = try LoopbackServer { exchange in
            let path = exchange.request.target
            guard path == "/first" else { return try exchange.respond(text: path) }
            try exchange.respond(body: Data(count: 6 << 20))
            try exchange.wait(for: taken)
            try exchange.send(Self.surplus)
            sent.open()
        }
        let transport = try CurlTransport.fresh()
        let first = TransportRequest("GET", server.url("/first"))
        let consumer = try SlowConsumer(of: transport)
        #expect(await transport.result(first, into: .consumer(consumer)).status == 200)
        taken.open()
        await sent.wait()
        for path in ["/second", "/third"] { #expect(await transport.get(server.url(path)).text == path) }
    }

    @Test func `A flood on an idle connection holds up nobody`() async throws {
        let flooded = Gate()
        let server = try LoopbackServer { exchange in
            try exchange.respond(text: exchange.request.target)
            while exchange.request.target == "/first" {
                try exchange.send(Data(count: 64 << 10))
                flooded.open()
            }
        }
        let transport = try CurlTransport.fresh()
        #expect(await transport.get(server.url("/first")).text == "/first")
        await flooded.wait()
        for path in ["/second", "/third"] {
            #expect(await transport.get(server.url(path)).text == path)
        }
    }

    @Test func `A request that waits for the connection does not get it if something has come on it`() async throws {
        let heads = (0..<5).map { _ in Gate() }
        let server = try LoopbackServer { exchange in
            let target = exchange.request.target
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: \(target.utf8.count)\r\n\r\n")
            try exchange.wait(for: heads[Int(target.dropFirst()) ?? 0])
            try exchange.send(target + Self.surplus)  // libcurl reads only the body
        }
        let transport = try CurlTransport.fresh { $0.connectionsPerHost = 1 }
        let bodies = await withTaskGroup(of: (Int, String?).self) { group in
            for (number, head) in heads.enumerated() {
                group.addTask {
                    let consumer = GatedConsumer(head: head)
                    let request = TransportRequest("GET", server.url("/\(number)"))
                    let result = await transport.result(request, into: .consumer(consumer))
                    return (number, result.status == 200 ? consumer.body.withLock { $0 } : nil)
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(bodies == [0: "/0", 1: "/1", 2: "/2", 3: "/3", 4: "/4"])
        #expect(server.connectionCount == 5)
    }
}

/// Opens a gate when the head of a response arrives.
private final class GatedConsumer: BodyConsumer {
    let body = Locked("")
    private let head: Gate

    init(head: Gate) {
        self.head = head
    }

    func begin(_ head: ResponseHead) async throws {
        self.head.open()
    }

    func consume(_ piece: Data) async throws {
        body.withLock { $0 += String(decoding: piece, as: UTF8.self) }
    }
}
#endif
