#if os(Linux)
import Foundation
import TestKit
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.test))
struct RequestPlanTests {
    @Test(arguments: [
        "ftp://a.test/", "file:///etc/passwd", "/path", "http:///x", "mailto:a@b.test", "data:,x", "http://a:8@/",
    ])
    func `Only absolute URLs of http and https are requested`(url: String) throws {
        #expect(try error(TransportRequest("GET", #require(URL(string: url)))) == .badURL)
    }

    @Test(arguments: [("http://a.test/", false), ("HTTPS://a.test/", true)])
    func `Schemes are told apart`(url: String, isSecure: Bool) throws {
        #expect(try RequestPlan(TransportRequest("GET", #require(URL(string: url)))).isSecure == isSecure)
    }

    @Test(arguments: ["", "G ET", "GET\r\nX: y", "GET\u{0}", "GÉT", "GET:"])
    func `A method is a token`(method: String) throws {
        #expect(try error(TransportRequest(method, url)) == .badRequest)
    }

    @Test(arguments: [
        ("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\u{0}b"), ("X", "\u{7F}"), ("X:", "a"), ("", "a"), ("X Y", "a"),
        ("X\n", "a"), ("É", "a"),
    ])
    func `Nothing in a field ends its line`(name: String, value: String) throws {
        var headers = HeaderList()
        headers.append(name, value)
        #expect(try error(TransportRequest("GET", url, headers: headers)) == .badRequest)
    }

    @Test(arguments: ["ada\r\nX: y", "ada\n", "a\u{0}da", "\u{7F}"])
    func `Nothing in a login ends its line`(text: String) throws {
        for login in [("ada", text), (text, "s3cret")] {
            var request = TransportRequest("GET", try url)
            request.login = .init(user: login.0, password: login.1)
            #expect(try error(request) == .badRequest)
        }
    }

    @Test func `Values may have tabs, and bytes beyond ASCII`() throws {
        let plan = try RequestPlan(TransportRequest("GET", url, headers: ["X": "a\tb é"]))
        #expect(plan.headers == ["X": "a\tb é"])
    }

    @Test func `Framing is the body's to decide`() throws {
        let headers: HeaderList = ["content-length": "7", "Transfer-Encoding": "chunked", "X": "y"]
        #expect(try RequestPlan(TransportRequest("POST", url, headers: headers)).headers == ["X": "y"])
    }

    @Test(arguments: [
        ("POST", true), ("PUT", true), ("PATCH", true), ("GET", false), ("DELETE", false), ("HEAD", false),
    ])
    func `Methods that usually have a body say that they have none`(method: String, saysSo: Bool) throws {
        switch try RequestPlan(TransportRequest(method, url)).content {
        case .none: #expect(!saysSo)
        case .small(let data): #expect(saysSo && data.isEmpty)
        case .upload: Issue.record("There is nothing to upload")
        }
    }

    @Test func `What libcurl would add to a body is suppressed, unless it is there`() throws {
        let body = TransportRequest.Body.data(Data([1]))
        #expect(try RequestPlan(TransportRequest("POST", url, body: body)).suppressed == ["Expect", "Content-Type"])
        let plan = try RequestPlan(TransportRequest("POST", url, headers: ["content-type": "a/b"], body: body))
        #expect(plan.suppressed == ["Expect"])
        #expect(try RequestPlan(TransportRequest("GET", url)).suppressed.isEmpty)
    }

    @Test func `HEAD with a body and CONNECT are not supported`() throws {
        #expect(try error(TransportRequest("HEAD", url, body: .data(Data([1])))) == .unsupported)
        #expect(try error(TransportRequest("CONNECT", url)) == .unsupported)
    }

    private var url: URL {
        get throws { try #require(URL(string: "http://a.test/")) }
    }

    private func error(_ request: TransportRequest) throws -> TransportError.Kind? {
        do throws(TransportError) {
            _ = try RequestPlan(request)
            return nil
        } catch {
            return error.kind
        }
    }
}
#endif
