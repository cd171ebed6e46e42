#if os(Linux)
import Foundation
import Isolation
import LoopbackServer
import TestKit
import Testing

@testable import CurlTransport

/// Digest access authentication (RFC 7616), which libcurl performs within one exchange.
@Suite(.timeLimit(.test))
struct LoginTests {
    private static let right = TransportRequest.Login(user: "ada", password: "s3cret:ü")

    /// A server that asks for the login, and responds with the body that it receives.
    private static func server(
        _ algorithm: DigestChallenge.Algorithm = .md5, nonces: [String] = ["n1"], headers: [String] = []
    ) throws -> LoopbackServer {
        let challenge = DigestChallenge(user: right.user, password: right.password, algorithm: algorithm)
        let attempt = Locked(0)
        return try LoopbackServer { exchange in
            let number = attempt.withLock { attempt in
                defer { attempt += 1 }
                return min(attempt, nonces.count) - 1
            }
            if number == nonces.count - 1, challenge.isAnswered(by: exchange.request, nonce: nonces[number]) {
                return try exchange.respond(body: Data("in:".utf8) + exchange.request.body)
            }
            let isStale = number >= 0 && challenge.isAnswered(by: exchange.request, nonce: nonces[number])
            let line = challenge.line(nonce: nonces[min(number + 1, nonces.count - 1)], isStale: isStale)
            try exchange.respond(401, headers: [line] + headers, text: "refused")
        }
    }

    private func request(
        _ server: LoopbackServer, _ method: String = "GET", body: TransportRequest.Body = .none,
        login: TransportRequest.Login = right
    ) -> TransportRequest {
        var request = TransportRequest(method, server.url("/path?query=1"), body: body)
        request.login = login
        return request
    }

    @Test(arguments: DigestChallenge.Algorithm.allCases, [[], ["Connection: close"]])
    func `The challenge is answered, and only the last response is delivered`(
        _ algorithm: DigestChallenge.Algorithm, _ headers: [String]
    ) async throws {
        let server = try Self.server(algorithm, headers: headers)
        let transport = try CurlTransport.fresh()
        let response = try await transport.result(request(server)).get()
        #expect(response.head.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self) == "in:")
        #expect(response.head.headers.contains("WWW-Authenticate") == false)
        #expect(response.metrics.bytesReceived == 3)
        #expect(server.requests.map { $0.header("Authorization") == nil } == [true, false])
    }

    @Test func `A nonce that is too old is replaced`() async throws {
        let server = try Self.server(nonces: ["old", "new"])
        #expect(await (try CurlTransport.fresh()).result(request(server)).text == "in:")
        #expect(server.requests.count == 3)
    }

    @Test(arguments: ["", "Digest realm=\"x\", nonce=\"y\", algorithm=X-Unknown", "Basic realm=\"x\"", "Digest"])
    func `A challenge that cannot be answered is a response`(_ field: String) async throws {
        let server = try LoopbackServer { try $0.respond(401, headers: ["WWW-Authenticate: \(field)"], text: "no") }
        for body in [TransportRequest.Body.none, .data(Data("body".utf8))] {
            let consumer = Collector()
            let asked = request(server, "PUT", body: body)
            #expect(await (try CurlTransport.fresh()).result(asked).text == "no")
            let streamed = await (try CurlTransport.fresh()).result(asked, into: .consumer(consumer))
            #expect(streamed.status == 401)
            #expect(consumer.received == ["401", "no"])
        }
    }

    @Test(arguments: ["refused", ""])
    func `A refused login is a response, also without a body`(_ text: String) async throws {
        let challenge = DigestChallenge(user: "ada", password: "other", algorithm: .md5)
        let server = try LoopbackServer { try $0.respond(401, headers: [challenge.line(nonce: "n")], text: text) }
        let transport = try CurlTransport.fresh()
        let result = await transport.result(request(server))
        #expect(result.status == 401)
        #expect(result.text == text)
        #expect(server.requests.count == 2)
        let consumer = Collector()
        #expect(await transport.result(request(server), into: .consumer(consumer)).status == 401)
        #expect(consumer.received == (text.isEmpty ? ["401"] : ["401", text]))
    }

    @Test(arguments: ["small", "large", "stream", "chunks", "file"])
    func `A body is sent again, and never sent empty`(_ kind: String) async throws {
        let server = try Self.server()
        let data = Data("0123456789".utf8) * (kind == "small" ? 1 : 20_000)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("login-\(UUID().uuidString)")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let body: TransportRequest.Body =
            switch kind {
            case "stream": .stream(PieceSource(data, piece: 10_000, canRewind: true), length: Int64(data.count))
            case "chunks": .stream(PieceSource(data, piece: 10_000, canRewind: true), length: nil)
            case "file": .file(file)
            default: .data(data)
            }
        let result = await (try CurlTransport.fresh()).result(request(server, "POST", body: body))
        #expect(result.status == 200)
        #expect(try result.get().body == Data("in:".utf8) + data)
        #expect(server.requests.map(\.body) == [data, data])
        #expect(try result.get().metrics.bytesSent == Int64(data.count))
    }

    @Test(arguments: [Int64(6), nil])
    func `A body that can be read only once fails if the server asks for the login`(_ length: Int64?) async throws {
        let server = try Self.server()
        let source = PieceSource(Data("string".utf8), piece: 2, canRewind: false)
        let asked = request(server, "POST", body: .stream(source, length: length))
        let result = await (try CurlTransport.fresh()).result(asked)
        #expect(result.failureKind == .bodySource)
        guard case .failure(let error) = result else { return }
        #expect(error.underlyingError is UnrepeatableSource)
        #expect(error.description.contains("cannot be sent again"))
        #expect(server.requests.map(\.body) == [Data("string".utf8)])
    }

    @Test func `A server that calls each answer too old is answered a few times only`() async throws {
        let server = try Self.server(nonces: (0..<20).map { "n\($0)" })
        #expect(await (try CurlTransport.fresh()).result(request(server)).status == 401)
        #expect(server.requests.count == 4)
    }

    @Test func `Without a challenge, the login changes nothing`() async throws {
        let server = try LoopbackServer { try $0.respond(body: $0.request.body) }
        let asked = request(server, "POST", body: .data(Data("body".utf8)))
        #expect(await (try CurlTransport.fresh()).result(asked).text == "body")
        #expect(server.requests.count == 1)
        #expect(server.requests.first?.header("Authorization") == nil)
    }

    @Test func `A login does not stay in the transport for other requests`() async throws {
        let server = try Self.server()
        let transport = try CurlTransport.fresh()
        #expect(await transport.result(request(server)).status == 200)
        #expect(await transport.get(server.url("/path?query=1")).status == 401)
        #expect(server.requests.last?.header("Authorization") == nil)
    }

    @Test func `A login follows no redirect to another origin, or out of its scope`() async throws {
        for scope in [nil, ["/"], ["/in/"]] {
            let challenge = DigestChallenge(user: Self.right.user, password: Self.right.password, algorithm: .md5)
            let other = try LoopbackServer { try $0.respond(401, headers: [challenge.line(nonce: "n")], text: "other") }
            let server = try LoopbackServer { exchange in
                let target = exchange.request.target
                if target == "/in/a" { return try exchange.respond(302, headers: ["Location: \(other.url("/in/b"))"]) }
                if target == "/in/c" { return try exchange.respond(302, headers: ["Location: /out/d"]) }
                try exchange.respond(401, headers: [challenge.line(nonce: "n")], text: "own")
            }
            for path in ["/in/a", "/in/c"] {
                var asked = TransportRequest("GET", server.url(path))
                asked.login = Self.right
                asked.secretScope = scope.map { paths in
                    .init(
                        fields: [], prefixes: paths.flatMap { [server.url($0), other.url($0)] }.map(\.absoluteString))
                }
                #expect(await (try CurlTransport.fresh()).result(asked).status == 401)
            }
            #expect(other.requests.map { $0.header("Authorization") } == [nil])
            let own = server.requests.filter { $0.target == "/out/d" }
            #expect(own.count == (scope == ["/in/"] ? 1 : 2))
            #expect((own.last?.header("Authorization") == nil) == (scope == ["/in/"]))
        }
    }

    @Test func `A login is not shown`() throws {
        var shown = ""
        dump(Self.right, to: &shown)
        #expect(!shown.contains("ada"))
        #expect(!shown.contains("s3cret"))
        #expect(!"\(Self.right)".contains("s3cret"))
        #expect(!String(reflecting: Self.right).contains("s3cret"))
    }
}

/// A consumer that records the status and the pieces of a response.
private final class Collector: BodyConsumer {
    private let parts = Locked<[String]>([])

    var received: [String] { parts.withLock { $0 } }

    func begin(_ head: ResponseHead) async throws { parts.withLock { $0.append("\(head.status)") } }

    func consume(_ piece: Data) async throws { parts.withLock { $0.append(String(decoding: piece, as: UTF8.self)) } }
}

private func * (data: Data, count: Int) -> Data { (0..<count).reduce(into: Data()) { result, _ in result += data } }
#endif
