#if os(Linux)
import Foundation
import LoopbackServer
import TestKit
import Testing

@testable import CurlTransport

/// Header fields of real servers, and hostile ones.
@Suite(.timeLimit(.test))
struct HeaderTests {
    private static let end = "Content-Length: 2\r\n\r\nok"

    @Test(arguments: [
        ("X:v", "X", "v"), ("X:    v   ", "X", "v"), ("X:\tv\t", "X", "v"), ("X:", "X", ""), ("X: ", "X", ""),
        ("x-lOWER: v", "X-Lower", "v"), ("X: a\r\n b", "X", "a b"),
        ("X: a\r\nX: b", "X", "a, b"), ("X: a:b", "X", "a:b"), ("X : v", "X", "v"),
    ])
    func `Harmless slips cost no response`(_ lines: String, _ name: String, _ value: String) async throws {
        let wire = WireCase(lines, "HTTP/1.1 200 OK\r\n\(lines)\r\n" + Self.end, .response(200, "ok"))
        let response = try await wire.result(staysOpen: true).get()
        #expect(response.head.headers[name] == value)
        #expect(response.body == Data("ok".utf8))
    }

    @Test func `Latin-1 is read as such, UTF-8 as UTF-8`() async throws {
        let bytes = Data("HTTP/1.1 200 OK\r\nA: ".utf8) + [0xE4, 0xFF] + Data("\r\nB: ä→\r\n\(Self.end)".utf8)
        let headers = try await WireCase("", bytes, .response(200, "ok")).result().get().head.headers
        #expect(headers["A"] == "äÿ")
        #expect(headers["B"] == "ä→")
    }

    @Test(arguments: ["X: a\0b", "no colon"])
    func `What cannot be a header is refused, and cuts nothing off`(_ line: String) async throws {
        let wire = WireCase("", "HTTP/1.1 200 OK\r\n\(line)\r\n" + Self.end, .failure(.protocolViolation))
        #expect(WireCase.Outcome(try await wire.result()) == wire.outcome)
    }

    @Test func `Fields of the same name stay in order, Set-Cookie apart, and names keep their case`() async throws {
        let lines = "Set-Cookie: a=1, b\r\nB: 1\r\nset-cookie: c=2\r\nb: 2\r\n"
        let head = try await WireCase("", "HTTP/1.1 200 OK\r\n" + lines + Self.end, .response(200, "ok")).result().get()
            .head
        #expect(head.headers.map(\.name) == ["Set-Cookie", "B", "set-cookie", "b", "Content-Length"])
        #expect(head.headers.values(of: "SET-COOKIE") == ["a=1, b", "c=2"])
        #expect(head.headers["B"] == "1, 2")
    }

    /// The bytes that a server sends once, and the bytes that it then repeats without end.
    @Test(arguments: [
        ("200 OK\r\n", "X: y\r\n"), ("200 OK\r\n", "X: y\r\n y\r\n"), ("200 OK\r\nX: ", "yyyyyyyyyyyyyyyy"),
        ("103 Early Hints\r\n", "X: y\r\n\r\nHTTP/1.1 103 Early Hints\r\n"),
        ("200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n", "X: y\r\n"),
    ])
    func `Headers without an end are given up at the limit`(_ start: String, _ rest: String) async throws {
        let piece = String(repeating: rest, count: 1000)
        let server = try LoopbackServer.serving { connection in
            _ = connection.head()
            try connection.send("HTTP/1.1 \(start)")
            while true { try connection.send(piece) }
        }
        let result = await (try CurlTransport.fresh()).get(server.url())
        #expect(result.failureKind == .headersTooLarge)
    }

    @Test func `The limit of headers counts over all redirects and interim responses, and can be set`() async throws {
        let server = try LoopbackServer { exchange in
            try exchange.respond(302, headers: ["Location: /next", "X: \(String(repeating: "y", count: 1000))"])
        }
        let few = try CurlTransport.fresh { $0.headerBytes = 5000 }
        #expect(await few.get(server.url()).failureKind == .headersTooLarge)
        #expect(server.requests.count < 6)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nF\(end)", "HTTP/1.1 103 Hints\r\nF\r\nHTTP/1.1 200 OK\r\n\(end)",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nF\r\n",
    ])
    func `A response with more fields than allowed is an error, wherever they are`(_ template: String) async throws {
        for (count, isTooMany) in [(998, false), (1001, true)] {
            let fields = String(repeating: "x: y\r\n", count: count)
            let bytes = template.replacingOccurrences(of: "F", with: fields)
            let result = try await WireCase("", bytes, .response(200, "ok")).result()
            #expect(result.failureKind == (isTooMany ? .headersTooLarge : nil))
            #expect(result.text == (isTooMany ? nil : "ok"))
        }
        let three = template.replacingOccurrences(of: "F", with: "x: y\r\nx: y\r\nx: y\r\n")
        #expect(try await WireCase("", three, .response(200, "")).result { $0.headerFields = 2 }.failureKind != nil)
    }

    @Test func `Each redirect has the limit of fields for itself`() async throws {
        let fields = [String](repeating: "x: y", count: 600)
        let server = try LoopbackServer { exchange in
            let isEnd = exchange.request.target == "/end"
            try exchange.respond(isEnd ? 200 : 302, headers: fields + ["Location: /end"], text: "ok")
        }
        #expect(await (try CurlTransport.fresh()).get(server.url()).text == "ok")
    }

    @Test func `A request may have thousands of fields, which arrive in order`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "ok") }
        var headers = HeaderList()
        for index in 0..<2000 { headers.append("X", "\(index)") }
        let transport = try CurlTransport.fresh()
        #expect(await transport.result(TransportRequest("GET", server.url(), headers: headers)).text == "ok")
        #expect(server.requests.last?.headers("X") == (0..<2000).map { "\($0)" })
        #expect(await transport.get(server.url()).text == "ok")
        #expect(server.requests.last?.headers("X") == [])
    }

    @Test func `No request can smuggle a line, a second length or another method into its head`() async throws {
        let server = try LoopbackServer { try $0.respond() }
        let transport = try CurlTransport.fresh()
        for headers: HeaderList in [
            ["X": "a\r\nY: b"], ["X": "a\nY: b"], ["X": "a\rb"], ["X": "a\0b"], ["X": "\u{7F}"], ["X": "\u{1F}"],
            ["X\r\nY": "a"], ["X:": "a"], ["": "a"],
            ["X Y": "a"], ["X;": ""],
        ] {
            let result = await transport.result(TransportRequest("GET", server.url(), headers: headers))
            #expect(result.failureKind == .badRequest)
        }
        for method in ["GET /evil HTTP/1.1\r\nX:", "", "GE T", "G\0"] {
            #expect(await transport.result(TransportRequest(method, server.url())).failureKind == .badRequest)
        }
        #expect(throws: TransportError.self) { try CurlTransport.fresh { $0.userAgent = "a\r\nEvil: 1" } }
        #expect(throws: TransportError.self) {
            try CurlTransport.fresh { $0.acceptedEncodings = ["a\r\nEvil: 1"] }
        }

        let lengths: HeaderList = ["Content-Length": "99", "Transfer-Encoding": "chunked", "X": ""]
        let post = TransportRequest("POST", server.url(), headers: lengths, body: .data(Data("abc".utf8)))
        #expect(await transport.result(post).status == 200)
        #expect(server.requests.count == 1)
        #expect(server.requests.last?.headers("Content-Length") == ["3"])
        #expect(server.requests.last?.headers("Transfer-Encoding") == [])
        #expect(server.requests.last?.headers("X") == [""])
    }

    @Test func `Nothing of a request stays with the handle that the next one uses`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "ok") }
        let transport = try CurlTransport.fresh()
        let secret = try #require(URL(string: "http://user:secret@127.0.0.1:\(server.port)/1"))
        let first = TransportRequest("PROPFIND", secret, headers: ["X-Secret": "1"], body: .data(Data("body".utf8)))
        #expect(await transport.result(first).status == 200)
        #expect(server.requests.last?.header("Authorization") == "Basic dXNlcjpzZWNyZXQ=")
        let credentials = try #require(URL(string: "http://user:secret@127.0.0.1:\(server.port)/2"))
        #expect(await transport.get(credentials).status == 200)
        #expect(server.requests.last?.header("Authorization") != nil)
        for _ in 0..<2 {
            #expect(await transport.get(server.url("/3")).status == 200)
            let request = try #require(server.requests.last)
            #expect(request.method == "GET")
            #expect(Set(request.headers.map(\.name)) == ["Host", "Accept", "Accept-Encoding"])
        }
        #expect(await transport.result(TransportRequest("HEAD", server.url("/4"))).status == 200)
        #expect(await transport.get(server.url("/5")).text == "ok")
    }
}
#endif
