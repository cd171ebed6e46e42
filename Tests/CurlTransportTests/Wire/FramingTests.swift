#if os(Linux)
import Foundation
import LoopbackServer
import TestKit
import Testing
import Waiting

@testable import CurlTransport

/// The end of a message, and bytes that are not a message (RFC 9112).
@Suite(.timeLimit(.test))
struct FramingTests {
    @Test(
        arguments: [
            WireCase("length", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", .response(200, "abc")),
            WireCase("bytes after the length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc", .response(200, "ab")),
            WireCase("length 0", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", .response(200, "")),
            WireCase(
                "chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2;x=y\r\nbc\r\n0\r\n\r\n",
                .response(200, "abc")),
            WireCase(
                "trailers",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n1\r\na\r\n0\r\nX: 1\r\nY: 2\r\n\r\n",
                .response(200, "a")),
            WireCase(
                "equal lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
                .response(200, "a")),
            WireCase(
                "chunks win over a length (RFC 9112, 6.3)",
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
                .response(200, "a")),
            WireCase("no body in 204", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", .response(204, "")),
            WireCase("no body in 304", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", .response(304, "")),
            WireCase("bare line feeds", "HTTP/1.1 200 OK\nContent-Length: 1\n\na", .response(200, "a")),
        ], [false, true])
    func `A body ends where its framing says, whatever happens to the connection`(_ wire: WireCase, staysOpen: Bool)
        async throws
    {
        let result = try await wire.result(staysOpen: staysOpen) { $0.idleTimeout = 5 }
        #expect(WireCase.Outcome(result) == wire.outcome)
    }

    @Test(arguments: [
        WireCase("HTTP/1.1", "HTTP/1.1 200 OK\r\n\r\nabc", .response(200, "abc")),
        WireCase("HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nabc", .response(200, "abc")),
        WireCase("nothing", "HTTP/1.0 200 OK\r\n\r\n", .response(200, "")),
        WireCase("no reason phrase", "HTTP/1.1 200\r\n\r\nabc", .response(200, "abc")),
    ])
    func `A body without framing ends with the connection`(_ wire: WireCase) async throws {
        #expect(WireCase.Outcome(try await wire.result()) == wire.outcome)
    }

    @Test(arguments: [
        WireCase("cut body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", .failure(.connectionLost)),
        WireCase("no body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", .failure(.connectionLost)),
        WireCase(
            "cut chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc", .failure(.connectionLost)),
        WireCase(
            "no last chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            .failure(.connectionLost)),
        WireCase(
            "cut trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: 1",
            .failure(.connectionLost)),
        WireCase(
            "chunk size that is none",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
            .failure(.protocolViolation)),
        WireCase(
            "chunk size of 80 bits",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffffffff\r\nabc",
            .failure(.protocolViolation)),
        WireCase(
            "chunk longer than its size",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n",
            .failure(.protocolViolation)),
        WireCase(
            "conflicting lengths", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 1\r\n\r\nabc",
            .failure(.protocolViolation)),
        WireCase(
            "negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nabc", .failure(.protocolViolation)),
        WireCase(
            "length that is none", "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nabc",
            .failure(.protocolViolation)),
        WireCase("nothing at all", "", .failure(.connectionLost)),
        WireCase("not HTTP", "SSH-2.0-OpenSSH_9.2\r\n", .failure(.protocolViolation)),
        WireCase("HTTP/0.9", "<html>hello</html>", .failure(.protocolViolation)),
        WireCase("no status", "HTTP/1.1 abc OK\r\n\r\n", .failure(.protocolViolation)),
        WireCase("status of four digits", "HTTP/1.1 2000 OK\r\n\r\n", .failure(.protocolViolation)),
        WireCase("close inside the status line", "HTTP/1.1 20", .failure(.connectionLost)),
        WireCase("close inside the head", "HTTP/1.1 200 OK\r\nContent-Le", .failure(.connectionLost)),
        WireCase("close before the end of the head", "HTTP/1.1 200 OK\r\nX: y\r\n", .failure(.connectionLost)),
        WireCase("close after an interim response", "HTTP/1.1 100 Continue\r\n\r\n", .failure(.connectionLost)),
    ])
    func `A cut or contradictory body is a failure, and never a short success`(_ wire: WireCase) async throws {
        #expect(WireCase.Outcome(try await wire.result()) == wire.outcome)
    }

    @Test func `Interim responses are skipped, however many there are, and their headers with them`() async throws {
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"
        let bytes =
            "HTTP/1.1 100 Continue\r\n\r\n" + String(repeating: hints, count: 100)
            + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let response = try await WireCase("", bytes, .response(200, "ok")).result(staysOpen: true).get()
        #expect(response.head.status == 200)
        #expect(response.head.headers["Link"] == nil)
        #expect(String(decoding: response.body, as: UTF8.self) == "ok")
    }

    @Test(arguments: [
        "100 Continue", "102 Processing", "103 Early Hints", "104 Upload Resumption Supported", "199 X",
    ])
    func `No header of an interim response appears in the response, and none has an effect on it`(_ status: String)
        async throws
    {
        let fields = [
            "ETag: \"interim\"", "Cache-Control: max-age=3600", "Expires: Fri, 01 Jan 2100 00:00:00 GMT", "Age: 7",
            "Vary: *", "Link: </a>", "X: 1\r\n 2", "Location: /elsewhere", "Content-Encoding: gzip",
            "Content-Type: text/event-stream", "Content-Range: bytes 0-1/9", "Retry-After: 100",
            "WWW-Authenticate: Digest realm=x, nonce=y", "Clear-Site-Data: \"cache\"", "Last-Modified: never",
            "Content-Length: 1",
            "Transfer-Encoding: chunked", "Connection: close", "Trailer: X",
        ]
        let interim = "HTTP/1.1 \(status)\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n"
        for (final, code) in [
            ("HTTP/1.1 200 OK\r\nY: z\r\nContent-Length: 2\r\n\r\nok", 200),
            ("HTTP/1.1 200 OK\r\nY: z\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", 200),
            ("HTTP/1.1 302 Found\r\nY: z\r\nContent-Length: 2\r\n\r\nok", 302),
        ] {
            let wire = WireCase(status, interim + interim + final, .response(code, "ok"))
            let response = try await wire.result(staysOpen: true).get()
            #expect(response.head.status == code)
            #expect(Set(response.head.headers.map(\.name)).isSubset(of: ["Y", "Content-Length", "Transfer-Encoding"]))
            #expect(response.head.headers["Y"] == "z")
            #expect(response.body == Data("ok".utf8))
            #expect(response.redirects.isEmpty)
        }
    }

    @Test func `What a server sends after a complete response is not taken for the next one`() async throws {
        let server = try LoopbackServer.serving { connection in
            while connection.head() != nil {
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood")
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
                connection.waitForDisconnect()  // reads on until the client closes
            }
        }
        let transport = try CurlTransport.fresh()
        for number in 1...20 {
            #expect(await transport.get(server.url()).text == "good")
            try await Poll.until { server.openConnectionCount == 0 }
            #expect(server.connectionCount == number)
        }
    }
}
#endif
