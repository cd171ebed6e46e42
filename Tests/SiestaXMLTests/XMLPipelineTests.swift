import Foundation
import LoopbackServer
import SiestaCore
import SiestaXML
import TestKit
import Testing

/// XML that a server sends.
@MainActor @Suite(.timeLimit(.test))
struct XMLPipelineTests {
    private struct Feed: Decodable, Equatable, Sendable {
        var title: String
        var item: [Int]
    }

    private static let text = "<feed><title>ü</title><item>1</item><item>2</item></feed>"

    private func server(
        _ type: String, _ status: Int = 200, _ text: String = text, _ encoding: String.Encoding = .utf8
    ) throws -> LoopbackServer {
        try LoopbackServer {
            try $0.respond(
                status, headers: ["Content-Type: \(type)"], body: text.data(using: encoding) ?? Data())
        }
    }

    @Test(arguments: ["application/xml", "text/xml; charset=iso-8859-1", "application/atom+xml", "IMAGE/SVG+XML"])
    func `A response of an XML type becomes a tree`(_ type: String) async throws {
        let server = try server(type, 200, Self.text, type.contains("8859") ? .isoLatin1 : .utf8)
        let service = Service(baseURL: server.url(), standardTransformers: [.xml, .json, .text, .image])
        let resource = service.resource("/")
        _ = try await resource.load().value
        #expect(resource.xml?.root["title"]?.text == "ü")
    }

    @Test func `Other types are left alone, and the bodies of errors are parsed`() async throws {
        let json = try server("application/json", 200, "{}")
        let resource = Service(baseURL: json.url(), standardTransformers: [.xml, .json]).resource("/")
        _ = try await resource.load().value
        #expect(resource.xml == nil)
        let failing = try server("application/problem+xml", 404)
        let error = await #expect(throws: RequestError.self) {
            _ = try await Service(baseURL: failing.url(), standardTransformers: [.xml]).resource("/").load().value
        }
        #expect(error?.xml?.root.name.localName == "feed")
        #expect(error?.httpStatusCode == 404)
    }

    @Test func `Malformed XML fails with a message for people and a cause for programs`() async throws {
        let server = try server("application/xml", 200, "<a>\n</b>")
        let error = await #expect(throws: RequestError.self) {
            _ = try await Service(baseURL: server.url(), standardTransformers: [.xml]).resource("/").load().value
        }
        #expect(error?.userMessage == UserMessages.current.cannotParseResponse)
        let cause = try #require(error?.cause as? RequestError.Cause.InvalidXML)
        #expect(cause.reason == .mismatchedTag)
        #expect(cause.line == 2)
        #expect(error?.code == .invalidContent)
    }

    @Test func `Responses are decoded into typed content in any XML type and encoding`() async throws {
        let server = try server("text/xml; charset=iso-8859-1", 200, Self.text, .isoLatin1)
        let service = Service(baseURL: server.url())
        service.decodeXML("/feed", as: Feed.self)
        let feed = try await service.resource("/feed", as: Feed.self).get()
        #expect(feed == Feed(title: "ü", item: [1, 2]))
        service.decodeXML("/items", as: Feed.self) { $0.content.item }
        let items = try await service.resource("/items", as: [Int].self).get()
        #expect(items == [1, 2])
    }

    @Test func `A failed decode has the decoding error as its cause`() async throws {
        let server = try server("application/xml", 200, "<feed/>")
        let service = Service(baseURL: server.url())
        service.decodeXML("/feed", as: Feed.self)
        let error = await #expect(throws: RequestError.self) {
            _ = try await service.resource("/feed", as: Feed.self).get()
        }
        #expect(error?.cause is DecodingError)
    }
}
