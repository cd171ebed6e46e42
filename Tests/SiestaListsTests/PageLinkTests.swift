import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaLists

/// The pages to which links lead.
@MainActor @Suite(.timeLimit(.test))
struct PageLinkTests {
    private let stub = StubbedResource(standardTransformers: [])

    /// Returns the query of the target; nil if there is none.
    private func target(
        _ link: PageLink<String>, _ direction: PageDirection = .next, from query: String = "", count: Int = 3,
        total: Int? = nil, content: String = "", headers: [String: String] = [:]
    ) -> String? {
        let start = PageLink<String>.Start(
            resource: stub.resource.relative(query.isEmpty ? "/thing" : "?\(query)"),
            entity: Entity(content: content, headers: headers), itemCount: count, total: total)
        return link.target(start, direction).map { $0.url.query ?? "" }
    }

    @Test func `Page numbers`() {
        #expect(target(.pageNumber()) == "page=2")
        #expect(target(.pageNumber("p", first: 0), from: "a=b") == "a=b&p=1")
        #expect(target(.pageNumber(), from: "page=7") == "page=8")
        #expect(target(.pageNumber(), .previous, from: "page=7") == "page=6")
        #expect(target(.pageNumber(), .previous, from: "page=1") == nil)
        #expect(target(.pageNumber("p", first: 0), .previous, from: "p=1") == "p=0")
        #expect(target(.pageNumber(), count: 0) == nil)
        #expect(target(.pageNumber(size: 4)) == nil)
        #expect(target(.pageNumber(size: 3)) == "page=2")
        #expect(target(.pageNumber(size: 0), count: 0) == nil)
        #expect(target(.pageNumber(size: 3), from: "page=2", total: 6) == nil)
        #expect(target(.pageNumber(size: 3), from: "page=2", total: 7) == "page=3")
        #expect(target(.pageNumber(), from: "page=\(Int.max)") == nil)
        #expect(target(.pageNumber(), from: "page=x") == "page=2")
        #expect(target(.pageNumber(size: 3), from: "page=\(Int.max - 1)", total: 9) == nil)
        #expect(target(.pageNumber("p", first: 0, size: 3), from: "p=1", total: 6) == nil)
        #expect(target(.pageNumber("p", first: 0, size: 3), from: "p=1", total: 7) == "p=2")
    }

    @Test func `Offsets`() {
        #expect(target(.offset(limit: 3)) == "limit=3&offset=3")
        #expect(target(.offset("skip", limit: 3, limitParameter: nil), from: "skip=6") == "skip=9")
        #expect(target(.offset(limit: 3), .previous, from: "offset=6") == "limit=3&offset=3")
        #expect(target(.offset(limit: 3), .previous, from: "offset=2") == "limit=3&offset=0")
        #expect(target(.offset(limit: 3), .previous) == nil)
        #expect(target(.offset(limit: 3), count: 2) == nil)
        #expect(target(.offset(limit: 3), from: "offset=3", total: 6) == nil)
        #expect(target(.offset(limit: 3), from: "offset=\(Int.max)") == nil)
        #expect(target(.offset(limit: 0)) == nil)
    }

    @Test func `Cursors and URLs`() {
        #expect(target(.cursor("after") { $0 }, content: "a=&b") == "after=a%3D%26b")
        #expect(target(.cursor("after") { $0 }, from: "after=x&q=1", content: "y") == "after=y&q=1")
        #expect(target(.cursor("after") { $0 }) == nil)
        #expect(target(.cursor("after") { _ in nil }) == nil)
        #expect(target(.cursor("after", header: "X-Next"), headers: ["x-next": "5"]) == "after=5")
        #expect(target(.cursor("after", header: "X-Next")) == nil)
        #expect(target(.url { $0 }, content: "?n=2") == "n=2")
        #expect(target(.url { $0 }) == nil)
    }

    @Test func `A cursor or a URL of more than 16 KB counts as none`() {
        for link in [PageLink<String>.cursor("after") { $0 }, .url { $0 }] {
            let text = "?" + String(repeating: "a", count: (16 << 10) - 1)
            #expect(target(link, content: text) != nil)
            #expect(target(link, content: text + "a") == nil)
        }
    }

    @Test func `URLs are relative to the page, and resources are taken as they are`() {
        let page = stub.service.resource("/a/b", as: String.self)
        let entity = Entity(content: "c?n=2", headers: [:])
        let start = PageLink<String>.Start(resource: page.resource, entity: entity, itemCount: 1, total: nil)
        #expect(PageLink.url { $0 }.target(start, .next)?.url.absoluteString == "https://api.test/a/c?n=2")
        let next = stub.service.resource("/next", as: String.self)
        #expect(PageLink.resource { $0 == "c?n=2" ? next : nil }.target(start, .next) === next.resource)
        #expect(PageLink<String>.resource { _ in nil }.target(start, .next) == nil)
    }

    @Test func `Totals in the content are not negative`() {
        let total = PageTotal<Int?>.content { $0 }
        #expect([5, 0, -1, nil].map { total.value(Entity(content: $0, headers: [:])) } == [5, 0, nil, nil])
    }

    @Test func `Links of both directions`() {
        let headers = ["Link": "<?p=3>; rel=next, <?p=1>; rel=previous"]
        #expect(target(.link, headers: headers) == "p=3")
        #expect(target(.link, .previous, headers: headers) == "p=1")
        #expect(target(.link, .previous, headers: ["Link": "<?p=0>; rel=prev"]) == "p=0")
        #expect(target(.link) == nil)
    }

    @Test(
        arguments: [
            ("5", 5), (" 12 ", 12), ("-1", nil), ("x", nil), ("", nil), ("1.5", nil), ("99999999999999999999", nil),
        ] as [(String, Int?)])
    func `Totals in headers`(_ value: String, _ expected: Int?) {
        #expect(PageTotal<Int>.header("X-Total").value(Entity(content: 1, headers: ["x-total": value])) == expected)
    }

    @Test(
        arguments: [
            ("https://api.test/x", true), ("HTTPS://API.TEST:443", true), ("http://api.test/", false),
            ("https://api.test:8443/", false), ("http://api.test:443/", false), ("https://api.test.evil.test/", false),
            ("https://b@api.test/", false),
            ("file:///etc", false), ("data:x", false),
        ])
    func `Origins`(_ url: String, _ isAllowed: Bool) throws {
        let origins = PageOrigins([try #require(URL(string: "https://api.test/v1"))])
        let url = try #require(URL(string: url))
        #expect(origins.contains(url) == isAllowed)
    }

    @Test(
        arguments: [
            ("https://a:b@api.test/x", true), ("https://api.test/x", true), ("https://a@api.test/x", false),
            ("https://c:b@api.test/x", false), ("https://a:b@other.test/x", false),
        ])
    func `A link keeps the user of the first page, and names no other one`(_ url: String, _ isAllowed: Bool) throws {
        let first = try #require(URL(string: "https://a:b@api.test/v1"))
        #expect(PageOrigins([first]).contains(try #require(URL(string: url))) == isAllowed)
    }
}
