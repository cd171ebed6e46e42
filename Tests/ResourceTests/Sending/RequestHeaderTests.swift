import Foundation
import LoopbackServer
import SiestaCore
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Headers that cannot be sent: the request fails, and its error names them.
@MainActor @Suite(.timeLimit(.test))
struct RequestHeaderTests {
    private let stub = StubbedResource()

    private func expectRefusal(_ request: any Request, _ name: String, _ comment: Comment? = nil) async throws {
        let error = try #require(await request.completion().failure, comment)
        #expect((error.cause as? RequestError.Failure)?.name == name, comment)
        #expect(error.userMessage == "Cannot send request", comment)
        #expect(error.requestURL == stub.resource.url, comment)
        #expect(!"\(error)".contains("s3cret"), comment)
        #expect(stub.network.requests.isEmpty, comment)
    }

    @Test(arguments: [
        "s3cret\n", "s3cret\r\n", "\ns3cret", "a\r\nX-Evil: s3cret", "s3cret\u{0}", "s3cret\u{1B}", "s3cret\u{7F}",
    ])
    func `A configured header with a line break or another control character fails every kind of request`(
        _ value: String
    ) async throws {
        stub.service.configure { $0.headers["X-Token"] = value }
        let file = URL(fileURLWithPath: "/nowhere/file")
        let resource = stub.resource
        let requests: [(String, () -> any Request)] = [
            ("load", { resource.load() }), ("request", { resource.request(.post) }),
            ("mutated", { resource.request(.post) { $0.httpMethod = "PUT" } }),
            ("json", { resource.request(.post, json: ["a": 1]) }), ("download", { resource.download(to: file) }),
            ("upload", { resource.request(.put, body: .stream(AsyncStream<Data> { $0.finish() })) }),
            ("form", { resource.request(.post, body: .multipart(MultipartForm())) }),
        ]
        for (kind, make) in requests { try await expectRefusal(make(), "X-Token", "\(kind)") }
        let streamed = await #expect(throws: RequestError.self) { for try await _ in resource.bytes(.post) {} }
        #expect((streamed?.cause as? RequestError.Failure)?.name == "X-Token")
        let lines = await #expect(throws: RequestError.self) { for try await _ in resource.lines {} }
        #expect((lines?.cause as? RequestError.Failure)?.name == "X-Token")
    }

    @Test(arguments: ["", "X Token", "X-Token:", "X\r\nY", "Tök"])
    func `A header whose name is no token fails the request`(_ name: String) async throws {
        stub.service.configure { $0.headers[name] = "value" }
        try await expectRefusal(stub.resource.request(.get), name)
    }

    @Test func `The error names the header in one line, and never its value`() {
        let value = RequestError.Failure.invalidHeader("X-Token")
        #expect(
            "\(value)"
                == #"invalidHeader: the header "X-Token" has a value with a control character, such as a line break"#)
        let name = RequestError.Failure.invalidHeader("X\r\nY")
        #expect("\(name)" == #"invalidHeader: the header "X\r\nY" has a name with characters that HTTP does not allow"#)
    }

    @Test func `Headers that closures put into a request are checked as far as Foundation keeps them`() async throws {
        let resource = stub.resource
        try await expectRefusal(
            resource.request(.post) { $0.allHTTPHeaderFields = ["X-Mine": "a\nb"] }, "X-Mine", "all at once")
        try await expectRefusal(
            resource.request(.post) { $0.setValue("a\u{1}b", forHTTPHeaderField: "X-Mine") }, "X-Mine", "one")
        stub.service.configure { $0.mutateRequests { $0.allHTTPHeaderFields = ["X-Late": "a\nb"] } }
        try await expectRefusal(resource.load(), "X-Late", "configured mutation")
    }

    @Test func `A content type that is no header value fails the request`() async throws {
        let resource = stub.resource
        try await expectRefusal(resource.request(.post, data: Data(), contentType: "a/b\n"), "Content-Type", "data")
        try await expectRefusal(resource.request(.post, text: "x", contentType: "a/b\r\nX: 1"), "Content-Type", "text")
        try await expectRefusal(resource.request(.post, json: [1], contentType: "a/b\n"), "Content-Type", "json")
        let file = URL(fileURLWithPath: "/dev/null")
        try await expectRefusal(resource.request(.put, body: .file(file, contentType: "a/b\n")), "Content-Type", "file")
        let pieces = AsyncStream<Data> { $0.finish() }
        try await expectRefusal(
            resource.request(.put, body: .stream(pieces, contentType: "a/b\n")), "Content-Type", "stream")
    }

    @Test(arguments: ["a\tb", "é", "", "a: b, c; d=\"e\""])
    func `What HTTP allows in a value is sent`(_ value: String) async throws {
        stub.network.answer(.get, "/thing", with: .response(200))
        stub.service.configure { $0.headers["X-Token"] = value }
        #expect(await stub.resource.load().completion().failure == nil)
        #expect(try stub.lastRequest.value(forHTTPHeaderField: "X-Token") == value)
    }
}
