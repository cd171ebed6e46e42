import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// RFC 9457.
@MainActor @Suite(.timeLimit(.test))
struct ProblemDetailsTests {
    private func error(_ body: String, contentType: String = "application/problem+json") async -> RequestError? {
        let network = StubNetwork()
        network.answer(.get, "/x", with: .text(body, contentType: contentType, status: 403))
        let resource = Service(baseURL: "http://problem.test", networking: network).resource("/x")
        await resource.load().completion()
        return resource.latestError
    }

    @Test(arguments: [
        (#"{"title": "Title", "detail": "Detail"}"#, "Detail"),
        (#"{"title": "Title"}"#, "Title"),
        (#"{"title": "Title", "detail": ""}"#, "Title"),
        (#"{"title": "Title", "detail": 5}"#, "Title"),
        (#"{"type": "about:blank"}"#, "Forbidden"),
        (#"{"detail": null}"#, "Forbidden"),
        (#"["detail"]"#, "Forbidden"),
        ("no JSON", "Forbidden"),
        ("", "Forbidden"),
    ])
    func `The message is the detail, else the title, else the status phrase`(body: String, message: String) async {
        #expect(await error(body)?.userMessage == message)
    }

    @Test func `Problem details that would take a long time to read have no message`() async {
        let name = "a" + String(repeating: "\u{301}\u{323}", count: 7_000)
        #expect(await error("{\"detail\": \"Detail\", \"\(name)\": 1}")?.userMessage == "Forbidden")
        #expect(await error("{\"detail\": \"Detail\", \"a\": \"\(name)\"}")?.userMessage == "Detail")
    }

    @Test(arguments: ["application/problem+json; charset=utf-8", "Application/PROBLEM+json"])
    func `Case and parameters of the content type do not matter`(contentType: String) async {
        #expect(await error(#"{"detail": "Detail"}"#, contentType: contentType)?.userMessage == "Detail")
    }

    @Test(arguments: ["application/json", "text/plain", "application/x-problem+json"])
    func `Other content types are not searched for a message`(contentType: String) async {
        #expect(await error(#"{"detail": "Detail"}"#, contentType: contentType)?.userMessage == "Forbidden")
    }

    @Test(arguments: [(65_536, "Detail"), (65_537, "Forbidden")])
    func `A body of more than 64 KB is not searched for a message`(size: Int, message: String) async {
        let start = #"{"detail": "Detail", "padding": ""#
        let body = start + String(repeating: "x", count: size - start.utf8.count - 2) + #""}"#
        #expect(body.utf8.count == size)
        #expect(await error(body)?.userMessage == message)
    }

    @Test func `The members of the problem are the entity's content, parsed`() async {
        let error = await error(#"{"type": "http://problem.test/poor", "title": "T", "balance": 30}"#)
        #expect(error?.jsonDict["balance"] as? Int == 30)
        #expect(error?.httpStatusCode == 403)
        #expect(error?.cause == nil)
    }

    @Test func `A successful response of that type is no error`() async {
        let network = StubNetwork()
        network.answer(.get, "/x", with: .text(#"{"title": "T"}"#, contentType: "application/problem+json"))
        let resource = Service(baseURL: "http://problem.test", networking: network).resource("/x")
        await resource.load().completion()
        #expect(resource.latestError == nil)
        #expect(resource.jsonDict["title"] as? String == "T")
    }
}
