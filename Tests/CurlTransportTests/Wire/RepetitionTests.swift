#if os(Linux)
import Foundation
import Isolation
import LoopbackServer
import TestKit
import Testing

@testable import CurlTransport

/// The requests that are sent again when their connection ends, and the results of the others.
@Suite(.timeLimit(.test))
struct RepetitionTests {
    /// The point at which the server closes the connection.
    enum Stage: String, Sendable, CaseIterable {
        case atHead, insideBody, afterBody, insideResponseHead, insideResponseBody
    }

    private static let data = Data.pattern(200_000)

    @Test func `A request that was sent does not count as refused because no other connection is possible`()
        async throws
    {
        let arrivals = Arrivals()
        let server = try LoopbackServer.serving { connection in
            guard connection.head() != nil else { return }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            guard connection.head() != nil else { return }
            arrivals.arrive()
            connection.waitForDisconnect()
        }
        let transport = try CurlTransport.fresh()
        #expect(await transport.get(server.url("/warm")).status == 200)
        async let result = transport.result(TransportRequest("POST", server.url("/pay")))
        await arrivals.next()
        server.stop()  // Closes the port first, and then the connection.
        #expect(await result.failureKind == .outcomeUnknown)
    }

    private enum Content: CaseIterable {
        case none, small, large, file, stream, chunks
    }

    /// Serves a connection. Responds completely to all requests except the first one for `/pay`, which it serves only
    /// up to `stage`.
    private static func server(_ stage: Stage, heads: Counter) throws -> LoopbackServer {
        try LoopbackServer.serving { connection in
            while var request = connection.head() {
                let number = request.target == "/pay" ? heads.next() : 0
                if number == 1, stage == .atHead { return connection.close() }
                if number == 1, stage == .insideBody {
                    _ = connection.receive()
                    return connection.close()
                }
                guard try connection.readBody(of: &request) else { return }
                if number == 1 {
                    try connection.send(stage.response)
                    return connection.close()
                }
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npaid")
            }
        }
    }

    private func request(_ method: String, _ url: URL, _ content: Content, file: URL) -> TransportRequest {
        let data = Self.data
        let body: TransportRequest.Body =
            switch content {
            case .none: .none
            case .small: .data(Data("amount=1".utf8))
            case .large: .data(data)
            case .file: .file(file)
            case .stream: .stream(PieceSource(data, piece: 9000, canRewind: true), length: Int64(data.count))
            case .chunks: .stream(PieceSource(data, piece: 9000, canRewind: true), length: nil)
            }
        return TransportRequest(method, url, body: body)
    }

    private static func file() throws -> URL {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try data.write(to: file)
        return file
    }

    /// Opens a connection for bodies in memory, and one for bodies that are streamed.
    private static func warm(_ transport: CurlTransport, _ server: LoopbackServer) async throws {
        try #require(await transport.get(server.url("/warm")).text == "paid")
        let request = TransportRequest("GET", server.url("/warm"))
        try #require(await transport.result(request, into: .consumer(Recorder())).status == 200)
    }

    @Test(arguments: Stage.allCases, [true, false])
    func `A request that is not idempotent is sent once, wherever the server closes`(
        _ stage: Stage, _ isKept: Bool
    ) async throws {
        let file = try Self.file()
        defer { try? FileManager.default.removeItem(at: file) }
        for method in ["POST", "PATCH", "post", "LOCK"] {
            for content in Content.allCases where stage != .insideBody || content != .none {
                let heads = Counter()
                let server = try Self.server(stage, heads: heads)
                let transport = try CurlTransport.fresh()
                if isKept { try await Self.warm(transport, server) }
                let result = await transport.result(request(method, server.url("/pay"), content, file: file))
                #expect(
                    result.failureKind == (stage == .insideResponseBody ? .connectionLost : .outcomeUnknown),
                    "\(method) \(content)")
                #expect(heads.value == 1, "\(method) \(content)")
            }
        }
    }

    @Test(
        arguments: ["GET", "HEAD", "OPTIONS", "PROPFIND", "PUT", "DELETE", "POST", "PATCH"],
        [Stage.atHead, .insideBody, .afterBody])
    func `An idempotent request, or one with an Idempotency-Key, is sent again with its whole body`(
        _ method: String, _ stage: Stage
    ) async throws {
        let file = try Self.file()
        defer { try? FileManager.default.removeItem(at: file) }
        let contents = ["PUT", "POST", "PATCH"].contains(method) ? Content.allCases : [.none]
        for content in contents where stage != .insideBody || content != .none {
            let heads = Counter()
            let server = try Self.server(stage, heads: heads)
            let transport = try CurlTransport.fresh()
            try await Self.warm(transport, server)
            var request = request(method, server.url("/pay"), content, file: file)
            request.headers.append("Idempotency-Key", method == "POST" || method == "PATCH" ? "8e03978e" : "")
            let result = await transport.result(request)
            // If the server closes the connection during an upload, libcurl may report the loss and not send the
            // request again.
            let isOptional = stage != .afterBody && content != .none
            #expect(result.status == 200 || isOptional && result.failureKind == .connectionLost, "\(content)")
            #expect(heads.value == (result.status == 200 ? 2 : 1), "\(content)")
        }
    }

    @Test func `Lost connections of earlier requests do not count: each request is sent again as often as the first`()
        async throws
    {
        let server = try LoopbackServer.serving { connection in
            guard connection.head() != nil else { return }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            _ = connection.head()  // and closes the connection
        }
        let transport = try CurlTransport.fresh()
        for _ in 0..<30 { #expect(await transport.get(server.url("/")).status == 200) }
        #expect(server.connectionCount == 30)
    }

    @Test(arguments: ["", " ", " \t "])
    func `An empty Idempotency-Key is none`(_ key: String) async throws {
        let heads = Counter()
        let server = try Self.server(.afterBody, heads: heads)
        let transport = try CurlTransport.fresh()
        #expect(await transport.get(server.url("/warm")).text == "paid")
        var request = TransportRequest("POST", server.url("/pay"))
        request.headers.append("Idempotency-Key", key)
        #expect(await transport.result(request).failureKind == .outcomeUnknown)
        #expect(heads.value == 1)
    }

    @Test func `The request that a redirect leads to is sent once, too`() async throws {
        let heads = Counter()
        let server = try LoopbackServer.serving { connection in
            while var request = connection.head(), try connection.readBody(of: &request) {
                guard request.target == "/here" else {
                    _ = heads.next()
                    return connection.close()
                }
                try connection.send("HTTP/1.1 307 There\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let request = TransportRequest("POST", server.url("/here"), body: .data(Data("amount=1".utf8)))
        #expect(await (try CurlTransport.fresh()).result(request).failureKind == .outcomeUnknown)
        #expect(heads.value == 1)
    }

    @Test func `A connection that ends before a request could be sent leaves nothing unknown`() async throws {
        let socket = try Socket.refusing()
        let url = try #require(URL(string: "http://127.0.0.1:\(try socket.port)/"))
        #expect(await (try CurlTransport.fresh()).result(TransportRequest("POST", url)).failureKind == .refused)
    }
}

extension RepetitionTests.Stage {
    /// The bytes that the server sends before it closes the connection.
    fileprivate var response: String {
        switch self {
        case .insideResponseHead: "HTTP/1.1 200 OK\r\nContent-"
        case .insideResponseBody: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npa"
        case .atHead, .insideBody, .afterBody: ""
        }
    }
}

/// A counter for any thread.
final class Counter: Sendable {
    private let count = Locked(0)

    var value: Int { count.withLock { $0 } }

    /// Returns the next number, from 1.
    func next() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}
#endif
