import Foundation
import SiestaCore
import SiestaLists
import SiestaTesting
import TestKit
import Testing

/// The ways to create a list, and lists whose items have no identity.
@MainActor @Suite(.timeLimit(.test))
struct PagedResourceCreatingTests {
    private struct Row: Identifiable, Sendable, Equatable { let id: Int }

    private struct Content: Sendable { let rows: [Row] }

    /// Creates a list of `/rows` in one of the ways.
    private func list(_ way: Int, _ service: Service) throws -> PagedResource<Row> {
        let other = [try #require(URL(string: "https://other.test"))]
        let rows = service.resource("/rows", as: [Row].self)
        let content = service.resource("/content", as: Content.self)
        func next<Page>() -> PageLink<Page> { .url { _ in "https://other.test/rows" } }
        func previous<Page>() -> PageLink<Page> { .url { _ in "/before" } }
        func total<Page>() -> PageTotal<Page> { .header("X-Total-Count") }
        switch way {
        case 0:
            return PagedResource(
                rows, next: next(), previous: previous(), total: total(), alsoAt: other, maxPages: 2)
        case 1:
            return PagedResource(
                content, items: \.rows, next: next(), previous: previous(), total: total(), alsoAt: other, maxPages: 2)
        case 2:
            return PagedResource(
                rows, id: { $0.id }, next: next(), previous: previous(), total: total(), alsoAt: other, maxPages: 2)
        case 3:
            return PagedResource(
                content, items: \.rows, id: { $0.id }, next: next(), previous: previous(), total: total(),
                alsoAt: other, maxPages: 2)
        case 4:
            return PagedResource(
                withoutIdentity: rows, next: next(), previous: previous(), total: total(), alsoAt: other, maxPages: 2)
        default:
            return PagedResource(
                withoutIdentity: content, items: \.rows, next: next(), previous: previous(), total: total(),
                alsoAt: other, maxPages: 2)
        }
    }

    @Test(arguments: 0..<6)
    func `All ways to create a list use all parameters`(_ way: Int) async throws {
        let network = StubNetwork()
        let service = Service(baseURL: "https://api.test", standardTransformers: [], networking: network)
        service.configureTransformer("/rows") { (entity: Entity<Data>) in entity.content.map { Row(id: Int($0)) } }
        service.configureTransformer("/content") { (entity: Entity<Data>) in
            Content(rows: entity.content.map { Row(id: Int($0)) })
        }
        network.handler = { _ in .response(200, headers: ["X-Total-Count": "77"], body: Data([1, 2, 2])) }
        let list = try list(way, service)
        #expect(list.maxPages == 2)
        try await list.loadNext()
        #expect(list.items.map(\.id) == (way < 4 ? [1, 2] : [1, 2, 2]))
        #expect(list.total == 77)
        #expect(list.hasNext)
        #expect(list.hasPrevious)
    }

    // MARK: Without an identity

    private func plainList(_ server: PagedServer, pages: Int) async throws -> PagedResource<Int> {
        let list = PagedResource(
            withoutIdentity: server.first, items: { PagedServer.rows(in: $0) }, next: .link,
            total: .header("X-Total-Count"))
        for _ in 0..<pages { try await list.loadNext() }
        return list
    }

    @Test func `Without an identity, all items of all pages are in the list`() async throws {
        let server = PagedServer([1, 1, 1, 1, 2, 2, 1])
        let list = try await plainList(server, pages: 3)
        #expect(list.items == [1, 1, 1, 1, 2, 2, 1])
        #expect(list.total == 7)
        #expect(!list.hasNext)
        server.page(2).content = Data("1,1".utf8)
        #expect(list.items == [1, 1, 1, 1, 1, 1])
    }

    @Test func `Without an identity, the first page replaces the list when it is merged`() async throws {
        let server = PagedServer(1...9)
        let list = try await plainList(server, pages: 3)
        let others = Array(list.pages.dropFirst())
        try await list.reload(.firstThenMerge)
        #expect(list.items == [1, 2, 3])
        #expect(list.pageNumbers == [1])
        #expect(list.hasNext)
        #expect(others.allSatisfy { $0.isStale })
        #expect(server.requestedPages == [1, 2, 3, 1])
        try await list.loadNext()
        #expect(list.items == Array(1...6))
        #expect(server.requestedPages.last == 2)
    }

    @Test func `Without an identity, new content of the first page makes the others stale`() async throws {
        let server = PagedServer(1...9)
        let list = try await plainList(server, pages: 2)
        try await server.first.get(.always)
        #expect(list.pages.map(\.isStale) == [false, false])  // A 304
        server.rows.insert(0, at: 0)
        try await server.first.get(.always)
        #expect(list.items == [0, 1, 2, 4, 5, 6])
        #expect(list.pages.map(\.isStale) == [false, true])
    }

    @Test func `Without an identity, a reload of all or of the visible pages shows what the server sends`() async throws
    {
        let server = PagedServer(1...9)
        let list = try await plainList(server, pages: 3)
        server.rows.insert(3, at: 0)
        try await list.reload(.all)
        #expect(list.items == [3, 1, 2, 3, 4, 5, 6, 7, 8])
        server.rows = [0, 0, 0] + Array(4...12)
        list.visibleItems = 0..<1
        try await list.reload(.visible)
        #expect(list.items == [0, 0, 0, 3, 4, 5, 6, 7, 8])
        #expect(list.pages.map(\.isStale) == [false, true, true])
    }

    @Test func `Without an identity, a list grows at its beginning, and ends before a wiped page`() async throws {
        let server = PagedServer([1, 1, 1, 1, 1, 1, 2, 2, 2])
        let list = PagedResource(
            withoutIdentity: server.page(3), items: { PagedServer.rows(in: $0) }, next: .link, maxPages: 2)
        try await list.loadNext()
        try await list.loadPrevious()
        #expect(list.items == [1, 1, 1, 2, 2, 2])
        #expect(list.pageNumbers == [2, 3])
        try await list.loadPrevious()
        #expect(list.items == [1, 1, 1, 1, 1, 1])
        #expect(list.pageNumbers == [1, 2])
        server.page(2).wipe()
        #expect(list.items == [1, 1, 1])
        #expect(list.pageNumbers == [1])
    }
}
