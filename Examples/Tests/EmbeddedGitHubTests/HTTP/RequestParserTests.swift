import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("A request parser turns bytes into requests", .timeLimit(.test))
struct RequestParserTests {
    private static let head = "GET /users/mira-sato?page=2 HTTP/1.1\r\nHost: localhost\r\nAccept:  a/b \r\n\r\n"

    private func parse(_ text: String, _ limits: Limits = Limits()) -> RequestParser.Outcome {
        RequestParser(limits: limits).parse(Array(text.utf8))
    }

    private func request(_ text: String) throws -> HTTPRequest {
        guard case .request(let request, _) = parse(text) else { throw Missing() }
        return request
    }

    private struct Missing: Error {}

    @Test("takes a request apart")
    func wholeRequest() throws {
        let request = try request(Self.head)
        #expect(request.method == "GET")
        #expect(request.target.segments == ["users", "mira-sato"])
        #expect(request.target.query["page"] == "2")
        #expect(request.headers["accept"] == "a/b")
        #expect(request.keepsAlive)
    }

    @Test("waits at every cut, and finds the same request in the end")
    func everyPrefix() {
        let bytes = Array((Self.head.replacing("GET", with: "PUT").dropLast() + "Content-Length: 3\r\n\r\nabc").utf8)
        for count in 0..<bytes.count {
            #expect(RequestParser().parse(Array(bytes.prefix(count))) == .incomplete(expectsContinue: false))
        }
        guard case .request(let request, let length) = RequestParser().parse(bytes) else {
            Issue.record("no request")
            return
        }
        #expect(request.body == Array("abc".utf8))
        #expect(length == bytes.count)
    }

    @Test("leaves the bytes of the next request alone")
    func pipelined() {
        guard case .request(_, let length) = parse(Self.head + "GET / HTTP/1.1\r\n") else {
            Issue.record("no request")
            return
        }
        #expect(length == Self.head.utf8.count)
    }

    @Test(
        "knows whether the connection stays open",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", true),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n", false),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, close\r\n\r\n", false),
            ("GET / HTTP/1.0\r\n\r\n", false),
            ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true),
        ])
    func persistence(text: String, keepsAlive: Bool) throws {
        #expect(try request(text).keepsAlive == keepsAlive)
    }

    @Test(
        "accepts what is unusual but allowed",
        arguments: [
            "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\nHost: a\n\n",
            "GET http://example.test/ HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET http://example.test HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX:\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX: caf\u{E9}\tb\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n",
        ])
    func unusual(text: String) throws {
        #expect(try request(text).target.segments == [])
    }

    @Test(
        "refuses garbage as soon as it shows",
        arguments: [
            ("\u{0}", 400), ("\u{1B}[2J", 400), ("hello\r\n\r\n", 400), ("GET /\r\n\r\n", 400),
            ("GET  / HTTP/1.1\r\n\r\n", 400), ("G@T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET users HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET /%FF HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /?a=%2 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET /é HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400), ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
            ("GET / HTTP/1.12\r\nHost: a\r\n\r\n", 400), ("GET / FTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: \u{0}\r\n\r\n", 400),
            ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
            ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: \r\n\r\n", 400),
            ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
            ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
            ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n", 413),
            ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        ])
    func garbage(text: String, status: Int) {
        #expect(parse(text) == .bad(status: status))
    }

    @Test("limits the request line and the head, finished or not")
    func limits() {
        let long = String(repeating: "x", count: 9000)
        #expect(parse("GET /" + long) == .bad(status: 414))
        #expect(parse("GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n") == .bad(status: 414))
        #expect(parse("GET / HTTP/1.1\r\nA: \(long)\r\nB: \(long)") == .bad(status: 431))
        #expect(parse("GET / HTTP/1.1\r\nHost: a\r\nA: \(long)\r\nB: \(long)\r\n\r\n") == .bad(status: 431))
    }

    @Test("tells that a client waits before it sends its content")
    func expectation() {
        let text = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
        #expect(parse(text) == .incomplete(expectsContinue: true))
    }
}
