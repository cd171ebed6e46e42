#if os(Linux)
import Foundation
import LoopbackServer
import TestKit
import Testing

@testable import CurlTransport

/// The heads of followed redirects, which the transport reports with the response.
@Suite(.timeLimit(.test))
struct RedirectHopTests {
    private static let body = Data("end".utf8)

    /// A server that responds to `/1`, `/2` and `/3` with a redirect to the next path, and to `/4` with a body.
    private static func server() throws -> LoopbackServer {
        try LoopbackServer { exchange in
            switch exchange.request.target {
            case "/1":
                try exchange.respond(301, headers: ["Location: /2", "Cache-Control: max-age=60", "Set-Cookie: a=1"])
            case "/2": try exchange.respond(302, headers: ["location: /3", "X: one", "x: two"], text: "not this")
            case "/3":
                try exchange.send(
                    Data("HTTP/1.1 307 Moved\r\nLocation: /4\r\nContent-Length: 0\r\nX: ".utf8) + [0xE4, 0xFF]
                        + Data("\r\n\r\n".utf8))
            default: try exchange.respond(headers: ["X: last"], body: body)
            }
        }
    }

    @Test(arguments: ["memory", "consumer", "file"])
    func `The response has the head of each redirect, in order`(_ kind: String) async throws {
        let server = try Self.server()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let destination: ResponseDestination =
            switch kind {
            case "file": .file(file)
            case "consumer": .consumer(Recorder())
            default: .memory
            }
        let request = TransportRequest("GET", server.url("/1"))
        let response = try await CurlTransport.fresh().result(request, into: destination).get()
        #expect(response.head.headers["X"] == "last")
        #expect(response.redirects.map(\.status) == [301, 302, 307])
        #expect(response.redirects.map(\.url) == [server.url("/1"), server.url("/2"), server.url("/3")])
        #expect(response.redirects.first?.headers["cache-control"] == "max-age=60")
        #expect(response.redirects.first?.headers.values(of: "Set-Cookie") == ["a=1"])
        #expect(response.redirects.dropFirst().first?.headers.values(of: "X") == ["one", "two"])
        #expect(response.redirects.last?.headers["X"] == "äÿ")  // the bytes of Latin-1
        #expect(response.hasAllRedirects)
    }

    @Test func `A response without redirects has no heads of redirects`() async throws {
        let server = try Self.server()
        let transport = try CurlTransport.fresh()
        for _ in 0..<2 {
            let response = try await transport.get(server.url("/4")).get()
            #expect(response.redirects.isEmpty)
            #expect(response.hasAllRedirects)
            #expect(try await transport.get(server.url("/3")).get().redirects.count == 1)
        }
    }

    @Test func `A decoded body, small or large, leaves the redirects in the response`() async throws {
        for count in [100, 10_000_000] {
            let body = try await ChildProcess.output(of: "head -c \(count) /dev/urandom | gzip")
            let server = try LoopbackServer { exchange in
                guard exchange.request.target == "/" else {
                    return try exchange.respond(headers: ["Content-Encoding: gzip"], body: body)
                }
                try exchange.respond(308, headers: ["Location: /end"])
            }
            let response = try await CurlTransport.fresh().get(server.url()).get()
            #expect(response.body.count == count)
            #expect(response.redirects.map(\.status) == [308])
        }
    }

    @Test func `A redirect that is delivered as the response is none of the redirects`() async throws {
        let server = try LoopbackServer { exchange in
            let isFirst = exchange.request.target == "/"
            try exchange.respond(isFirst ? 302 : 301, headers: isFirst ? ["Location: /end"] : [])
        }
        let response = try await CurlTransport.fresh().get(server.url()).get()
        #expect(response.head.status == 301)
        #expect(response.redirects.map(\.status) == [302])
    }

    @Test func `Heads of redirects beyond the limit of memory are dropped, and the response says so`() async throws {
        let server = try LoopbackServer { exchange in
            let number = Int(exchange.request.target.dropFirst()) ?? 0
            guard number < 8 else { return try exchange.respond(text: "end") }
            let field = "X: " + String(repeating: "x", count: 60_000)
            try exchange.respond(302, headers: ["Location: /\(number + 1)", field])
        }
        let transport = try CurlTransport.fresh { $0.headerBytes = 4 << 20 }
        let response = try await transport.get(server.url("/0")).get()
        #expect(response.metrics.redirects == 8)
        #expect(response.redirects.map(\.url.path) == ["/0", "/1", "/2", "/3"])
        #expect(!response.hasAllRedirects)
    }

    @Test func `A redirect without fields counts with the room that its head takes`() throws {
        var log = RedirectLog()
        let head = ResponseHead(url: try #require(URL(string: "http://a.test/")), status: 302)
        for _ in 0..<10_000 { log.append(head) }
        #expect(log.heads.count < 257)
        #expect(log.heads.count > 200)
    }

    @Test func `After a head that is too large, no smaller head is recorded`() throws {
        var log = RedirectLog()
        let url = try #require(URL(string: "http://a.test/"))
        let large: HeaderList = ["X": String(repeating: "x", count: RedirectLog.limit)]
        log.append(ResponseHead(url: url, status: 301))
        log.append(ResponseHead(url: url, status: 302, headers: large))
        log.append(ResponseHead(url: url, status: 307))
        #expect(log.heads.map(\.status) == [301])
    }
}
#endif
