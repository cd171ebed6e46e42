import Foundation
import Observation

import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking
@testable import SiestaLists

/// The cost of views of data with many pages, items, observers and placeholders. It must not grow faster than their
/// number.
@MainActor @Suite(.timeLimit(.model))
struct ViewsGrowthTests {
    /// Returns a service with pages of one item each.
    private func pages(_ count: Int) -> PagedServer {
        let server = PagedServer(0..<count, size: 1)
        server.service.cachedResourceCountLimit = 100_000
        server.service.configure { $0.expirationTime = 1_000_000 }
        for number in 1...count { server.page(number).content = Data("\(number)".utf8) }
        return server
    }

    private func list(_ server: PagedServer) -> PagedResource<Int> {
        server.list(next: .pageNumber())
    }

    private func grown(_ count: Int) -> (PagedServer, PagedResource<Int>) {
        let server = pages(count)
        let list = list(server)
        for _ in 1..<count { list.beginLoadingNext() }
        return (server, list)
    }

    @Test func `Adding pages`() {
        let growth = Growth(of: TestLevel.count(200, nightly: 400)) {
            pages($0)
        } _: { server in
            let list = list(server)
            for _ in 1..<server.rows.count { list.beginLoadingNext() }
            #expect(list.items.count == server.rows.count)
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Adding pages with a maximum`() {
        let growth = Growth(of: TestLevel.count(150, nightly: 400)) {
            pages($0)
        } _: { server in
            let list = list(server)
            list.maxPages = 5
            for _ in 1..<server.rows.count { list.beginLoadingNext() }
            for _ in 1..<server.rows.count { list.beginLoadingPrevious() }
            #expect(list.items == [1, 2, 3, 4, 5])
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Identities with many combining marks in a row`() {
        expectBounded { $0 }
    }

    private struct Wrapped: Hashable {
        let number = 1
        let text: String
    }

    private enum Choice: Hashable {
        case number(Int)
        case text(String)
    }

    @Test func `Identities that wrap a text with many combining marks in a row`() {
        expectBounded { Wrapped(text: $0) }
        expectBounded { Choice.text($0) }
        expectBounded { Optional($0) }
        expectBounded { [Wrapped(text: $0)] }
        expectBounded { Substring($0) }
        expectBounded { Array($0) }
        let url = URL(string: "https://api.test/")
        expectBounded { [url: Choice.text($0)] }
    }

    /// Expects that different texts have different identities, equal ones the same, in linear time.
    private func expectBounded(_ id: @escaping (String) -> some Hashable) {
        let growth = Growth(of: 1_000) { (count: Int) in
            let texts = ["\u{301}\u{323}", "\u{323}\u{301}"].map { "a" + String(repeating: $0, count: count) }
            let page = PagedServer([], size: 1).service.resource("/texts", as: [String].self)
            page.resource.overrideLocalContent(with: texts + texts + ["b", "b"])
            return page
        } _: { page in
            let list = PagedResource(page, id: id, next: .pageNumber())
            #expect(list.items.count == 3)
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `The resources of a list`() {
        let growth = Growth(of: 500) {
            grown($0)
        } _: { _, list in
            for _ in 0..<4 { _ = (list.resources, list.pages) }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Wiping the pages of a list`() {
        let growth = Growth(of: TestLevel.count(80, nightly: 200)) { (count: Int) in
            (0..<13).map { _ in grown(count) }.makeIterator()
        } _: { lists in
            var lists = lists
            guard let (server, list) = lists.next() else { return }
            for page in 1...server.rows.count { server.page(page).content = Data("\(page)".utf8) }
            for _ in 1..<server.rows.count { list.beginLoadingNext() }
            server.service.wipeResources()
            #expect(list.items.isEmpty)
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Observers of a list`() {
        let (server, owner) = (PagedServer(1...3), Owner())
        let growth = Growth(of: 500) { count in
            let list = server.list()
            for _ in 0..<count { list.addObserver(owner: owner) { _, _ in } }
            return list
        } _: { list in
            list.tell((event: .notModified, page: nil))
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Observers of a selection`() {
        let (stub, owner) = (StubbedResource(), Owner())
        let growth = Growth(of: 500) { count in
            let selection = stub.resource.select { $0.content as? Int }
            for _ in 0..<count { selection.addObserver(owner: owner) { _, _ in } }
            return selection
        } _: { selection in
            stub.resource.overrideLocalContent(with: selection.value.map { $0 + 1 } ?? 0)
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Placeholders`() {
        let growth = Growth(of: 2000) { count in
            let service = Service(baseURL: "https://api.test", networking: StubNetwork())
            return (service, (0..<count).map { service.resource("/\($0)") })
        } _: { _, resources in
            for resource in resources { resource.typed(as: Int.self).placeholder = 1 }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Fields of a confirmation`() {
        let growth = Growth(of: 200) { count in
            HeaderFields(Dictionary(uniqueKeysWithValues: (0..<count).map { ("x-\($0)", "\($0)") }))
        } _: { fields in
            _ = NotModified.updates(of: HeaderFields(["etag": "a"]), by: fields)
            _ = NotModified.updates(of: fields, by: fields)
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Iterations that have ended are forgotten`() async {
        let selection = StubbedResource().resource.select { $0.content as? Int }
        for _ in 0..<1000 {
            for await value in selection.values {
                #expect(value == nil)
                break
            }
        }
        for _ in 0..<1000 { selection.addObserver(owner: Owner()) { _, _ in } }
        #expect(selection.core.observed.observerCount < 500)
    }
}
