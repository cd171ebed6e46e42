import Foundation
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

import SiestaCore
import SiestaLists

@MainActor @Suite(.timeLimit(.test))
struct ResourceLinksTests {
    private let stub = StubbedResource(standardTransformers: [])

    private func load(_ link: String) async {
        await stub.load(.response(200, headers: ["Link": link], body: Data()))
    }

    @Test(
        arguments: [
            ("</a?b=1>; rel=next", "https://api.test/a?b=1"), ("<a>; rel=next", "https://api.test/a"),
            ("<?page=2>; rel=next", "https://api.test/thing?page=2"),
            ("<../../x/./y>; rel=next", "https://api.test/x/y"),
            ("<//other.test/a>; rel=next", "https://other.test/a"), ("<>; rel=next", "https://api.test/thing"),
            ("<http://api.test/a>; REL=\"prev NEXT\"", "http://api.test/a"), ("</a>; rel=prev", nil),
            ("</a>; rel=next; anchor=\"/other\"", nil), ("</a>; rel=next; anchor=\"/thing\"", "https://api.test/a"),
            ("</a>; rel=next; anchor=\"\"", "https://api.test/a"), ("</a>; rel=next; anchor=\"#part\"", nil),
            ("</a>; rel=next; anchor=\"https://api.test/thing\"", "https://api.test/a"),
            ("</a>; rel=next; anchor=\"https://API.test:443/thing\"", "https://api.test/a"),
            ("</a%2Fb?f[x]=%20>; rel=next", "https://api.test/a%2Fb?f%5Bx%5D=%20"),
            ("</a>; rel=next; anchor=\"/other\", </b>; rel=next, </c>; rel=next", "https://api.test/b"),
        ] as [(String, String?)])
    func `A link leads to a resource of the service`(_ link: String, _ expected: String?) async {
        await load(link)
        #expect(stub.resource.linked("Next")?.url.absoluteString == expected)
    }

    @Test func `An anchor may spell the own URL with characters that a URL cannot contain`() async {
        let resource = stub.service.resource(absoluteURL: "https://api.test/a%2Fb%7Cc")
        stub.network.handler = { _ in
            .response(200, headers: ["Link": "</a>; rel=next; anchor=\"/a%2Fb|c\""], body: Data())
        }
        await resource.load().completion()
        #expect(resource.linked("next")?.url.absoluteString == "https://api.test/a")
    }

    @Test func `The fragment of the own URL does not count for anchors`() async {
        let resource = stub.service.resource("/x").relative("/x#part")
        stub.network.handler = { _ in .response(200, headers: ["Link": "</a>; rel=next; anchor=\"/x\""], body: Data()) }
        await resource.load().completion()
        #expect(resource.linked("next") === stub.service.resource("/a"))
    }

    @Test func `Without data or links, there is no resource`() async {
        #expect(stub.resource.linked("next") == nil)
        await stub.load(.response(200))
        #expect(stub.resource.linked("next") == nil)
        #expect(stub.resource.latestData?.links.isEmpty == true)
    }

    @Test func `An entity lists its links`() async throws {
        await load("</a>; rel=\"next last\"; title=x; title*=UTF-8''%C3%A4; title=y; anchor=\"#b\", </c>")
        let links = try #require(stub.resource.latestData?.links)
        #expect(links.map(\.target) == ["/a", "/c"])
        #expect(links[0].relations == ["next", "last"])
        #expect(links[0].title == "ä")
        #expect(links[0].parameters["title"] == "x")
        #expect(links[0].anchor == "#b")
        #expect(links[1].title == nil)
        #expect(links[1].anchor == nil)
        #expect(links[1].relations.isEmpty)
    }

    @Test func `Several fields are one list`() {
        let entity = Entity(content: (), headers: ["Link": "</a>", "link": "</b>"])
        #expect(entity.links.map(\.target).sorted() == ["/a", "/b"])
    }
}
