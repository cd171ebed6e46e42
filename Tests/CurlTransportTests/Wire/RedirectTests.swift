#if os(Linux)
import Foundation
import Isolation
import LoopbackServer
import TestKit
import Testing

@testable import CurlTransport

/// Redirects that the transport follows. The tests of HTTPRules have the table of all redirects.
@Suite(.timeLimit(.test))
struct RedirectTests {
    /// A server that responds to `/status?location` with that redirect, and to other requests with method, target and
    /// body.
    static func server() throws -> LoopbackServer {
        try LoopbackServer { exchange in
            let request = exchange.request
            let parts = request.target.dropFirst().split(separator: "?", maxSplits: 1).map(String.init)
            if parts.count == 2, let status = Int(parts[0]), let location = parts[1].removingPercentEncoding {
                let lines = location.split(separator: "\n").map { "Location: \($0)" }
                return try exchange.respond(status, headers: lines, text: "not this")
            }
            let body = String(decoding: request.body.prefix(100), as: UTF8.self)
            try exchange.respond(text: "\(request.method) \(request.target) \(body)")
        }
    }

    static func url(_ server: LoopbackServer, _ status: Int, _ location: String) throws -> URL {
        let escaped = try #require(location.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return server.url("/\(status)?\(escaped)")
    }

    @Test(arguments: [
        ("/a", "/a"), ("a", "/a"), ("./a/../b", "/b"), ("../../a", "/a"), ("/a?b#c", "/a?b"),
        ("//HOST/a", "/a"), ("http://HOST/a", "/a"), ("/a b", "/a%20b"), ("/ä", "/%C3%A4"), ("  /a  ", "/a"),
    ])
    func `Relative targets are resolved as RFC 3986 says`(_ location: String, _ target: String) async throws {
        let server = try Self.server()
        let location = location.replacingOccurrences(of: "HOST", with: "127.0.0.1:\(server.port)")
        let response = try await (try CurlTransport.fresh()).get(try Self.url(server, 302, location)).get()
        #expect(server.requests.last?.target == target)
        #expect(response.metrics.redirects == 1)
        #expect(response.head.url.path == (URL(string: target)?.path ?? ""))
    }

    @Test(arguments: [
        "ftp://127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1/", "javascript:alert(1)", "http://",
        "http:///a",
        "http://user:secret@127.0.0.1/", "/a\n/b", "//[::1",
    ])
    func `A target that cannot be followed is delivered as it is`(_ location: String) async throws {
        let server = try Self.server()
        let result = await (try CurlTransport.fresh()).get(try Self.url(server, 302, location))
        #expect(result.status == 302)
        #expect(result.text == "not this")
        #expect(server.requests.count == 1)
    }

    @Test func `//[::1] and IPv6 literals are followed`() async throws {
        guard let other = try? LoopbackServer(.ipv6(), { try $0.respond(text: "six") }) else {
            return  // a machine without IPv6
        }
        let server = try Self.server()
        let location = "//[::1]:\(other.port)/a"
        #expect(await (try CurlTransport.fresh()).get(try Self.url(server, 302, location)).text == "six")
        #expect(other.requests.last?.header("Host") == "[::1]:\(other.port)")
    }

    @Test func `A loop ends at the limit, and the limit can be none at all`() async throws {
        let server = try LoopbackServer { try $0.respond(302, headers: ["Location: /"]) }
        #expect(await (try CurlTransport.fresh()).get(server.url()).failureKind == .tooManyRedirects)
        #expect(server.requests.count == 21)
        #expect(server.connectionCount == 1)
        let deliver = try CurlTransport.fresh { $0.redirectLimit = nil }
        #expect(await deliver.get(server.url()).status == 302)
        let none = try CurlTransport.fresh { $0.redirectLimit = 0 }
        #expect(await none.get(server.url()).failureKind == .tooManyRedirects)
    }

    @Test
    func `Headers stay with their origin: host, port and scheme; what can be no secret goes along`() async throws {
        let other = try LoopbackServer { try $0.respond(text: "other") }
        let server = try Self.server()
        let transport = try CurlTransport.fresh()
        let secrets: HeaderList = [
            "Authorization": "Bearer x", "Cookie": "a=b", "X-Access-Token": "1", "Accept-Language": "en",
            "User-Agent": "test",
        ]
        for location in ["http://127.0.0.1:\(other.port)/", "http://localhost:\(server.port)/"] {
            let url = try Self.url(server, 307, location)
            #expect(await transport.result(TransportRequest("GET", url, headers: secrets)).status == 200)
            let request = try #require((location.contains("localhost") ? server : other).requests.last)
            #expect(request.header("Authorization") == nil)
            #expect(request.header("Cookie") == nil)
            #expect(request.header("X-Access-Token") == nil)
            #expect(request.header("Accept-Language") == "en")
            #expect(request.header("User-Agent") == "test")
        }
        let same = try Self.url(server, 307, "/same")
        #expect(await transport.result(TransportRequest("GET", same, headers: secrets)).status == 200)
        #expect(server.requests.last?.header("Authorization") == "Bearer x")
        #expect(server.requests.last?.header("Cookie") == "a=b")
        #expect(server.requests.last?.header("X-Access-Token") == "1")
    }

    @Test func `Credentials of a URL go to no other origin`() async throws {
        let other = try LoopbackServer { try $0.respond(text: "other") }
        let server = try Self.server()
        let plain = try Self.url(server, 302, "http://127.0.0.1:\(other.port)/").absoluteString
        let url = try #require(URL(string: plain.replacingOccurrences(of: "http://", with: "http://user:secret@")))
        #expect(await (try CurlTransport.fresh()).get(url).text == "other")
        #expect(server.requests.last?.header("Authorization") != nil)
        #expect(other.requests.last?.header("Authorization") == nil)
    }

    @Test(arguments: [301, 302, 303, 307, 308], ["small", "large", "file", "stream"])
    func `307 and 308 send the body again; 301, 302 and 303 turn a POST into a GET`(_ status: Int, _ kind: String)
        async throws
    {
        let server = try Self.server()
        let data = Data(String(repeating: "body", count: kind == "small" ? 1 : 100_000).utf8)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let body: TransportRequest.Body =
            switch kind {
            case "file": .file(file)
            case "stream": .stream(PieceSource(data, piece: 10_000, canRewind: true), length: nil)
            default: .data(data)
            }
        let headers: HeaderList = ["Content-Type": "text/plain"]
        let request = TransportRequest("POST", try Self.url(server, status, "/next"), headers: headers, body: body)
        #expect(await (try CurlTransport.fresh()).result(request).status == 200)
        let (first, last) = (try #require(server.requests.first), try #require(server.requests.last))
        #expect(first.body == data)
        #expect(last.method == (status >= 307 ? "POST" : "GET"))
        #expect(last.body == (status >= 307 ? data : Data()))
        #expect(last.header("Content-Type") == (status >= 307 ? "text/plain" : nil))
    }

    @Test func `A body that cannot be sent again makes a 307 the answer`() async throws {
        let server = try Self.server()
        let source = PieceSource(Data("body".utf8), piece: 2, canRewind: false)
        let url = try Self.url(server, 307, "/next")
        let request = TransportRequest("POST", url, body: .stream(source, length: 4))
        #expect(await (try CurlTransport.fresh()).result(request).status == 307)
        #expect(server.requests.count == 1)
    }

    @Test func `The long body of a redirect is not read to its end`() async throws {
        let server = try LoopbackServer { exchange in
            if exchange.request.target == "/next" { return try exchange.respond(text: "next") }
            try exchange.send("HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 100000000000\r\n\r\n")
            while true { try exchange.send(Data(count: 100_000)) }
        }
        #expect(await (try CurlTransport.fresh()).get(server.url()).text == "next")
    }

    @Test(arguments: ["Basic realm=\"x\"", "Digest realm=x, nonce=y", "Negotiate", "NTLM", "Bearer"])
    func `A 401 of any scheme is a response`(_ challenge: String) async throws {
        let server = try LoopbackServer { exchange in
            try exchange.respond(401, headers: ["WWW-Authenticate: \(challenge)"], text: "no")
        }
        let transport = try CurlTransport.fresh()
        let url = try #require(URL(string: "http://user:wrong@127.0.0.1:\(server.port)/"))
        for url in [server.url(), url] {
            let result = await transport.get(url)
            #expect(result.status == 401)
            #expect(result.text == "no")
        }
        #expect(server.requests.count == 2)
    }
}

/// A body that arrives in pieces.
final class PieceSource: BodySource {
    let canRewind: Bool
    private let data: Data
    private let piece: Int
    private let offset = Locked(0)

    init(_ data: Data, piece: Int, canRewind: Bool) {
        self.data = data
        self.piece = piece
        self.canRewind = canRewind
    }

    func next() async throws -> Data? {
        offset.withLock { offset in
            guard offset < data.count else { return nil }
            defer { offset += piece }
            return data[offset..<min(offset + piece, data.count)]
        }
    }

    func rewind() async throws {
        offset.withLock { $0 = 0 }
    }
}
#endif
