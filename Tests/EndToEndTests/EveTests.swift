import Foundation
import SiestaCore
import SiestaLists
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Lists in pages of a REST server that was not written here: Eve, with its data in an SQLite file.
@MainActor
@Suite(.serialized, .timeLimit(.test), .enabled(if: ForeignServer.eve.isRunning, "Run .ci/servers to start Eve"))
struct EveTests {
    private struct Row: Codable, Identifiable, Sendable {
        let number: Int
        var name: String
        let _id: Int
        let _etag: String
        var id: Int { _id }
    }

    private struct Page: Codable, Sendable {
        struct Links: Codable, Sendable {
            struct Link: Codable, Sendable { let href: String }
            let next: Link?
            let prev: Link?
        }
        struct Meta: Codable, Sendable { let total: Int }

        let _items: [Row]
        let _links: Links
        let _meta: Meta
    }

    private let service: Service

    init() throws {
        service = try ForeignServer.eve.service()
        service.decode("/rows", as: Page.self)
        service.decode("/rows/*", as: Row.self)
    }

    /// Returns a list on a server with this number of rows, whose numbers are 10, 20, 30 and so on.
    private func list(_ count: Int, page: Int = 1) async throws -> PagedResource<Row> {
        try await service.resource("/reset").request(.post, json: ["count": count]).value.content(as: Void.self)
        return PagedResource(
            service.resource("/rows").withParam("page", "\(page)").typed(), items: \Page._items,
            next: .url(\._links.next?.href), previous: .url(\._links.prev?.href), total: .content(\._meta.total))
    }

    private func numbers(_ range: Range<Int>) -> [Int] { range.map { $0 * 10 } }

    @Test func `A list follows the links in the body, in both directions`() async throws {
        let list = try await list(25, page: 2)
        try await list.loadNext()
        #expect(list.items.map(\.number) == numbers(11..<21))
        #expect(list.total == 25)
        try await list.loadNext()
        try await list.loadPrevious()
        #expect(list.items.map(\.number) == numbers(1..<26))
        #expect(!list.hasNext)
        #expect(!list.hasPrevious)
    }

    @Test func `A list counts its pages, and reads the total from a header`() async throws {
        _ = try await list(25)
        let list = PagedResource(
            service.resource("/rows").typed(), items: \Page._items, next: .pageNumber(size: 10),
            total: .header("X-Total-Count"))
        while list.hasNext { try await list.loadNext() }
        #expect(list.items.map(\.number) == numbers(1..<26))
        #expect(list.pages.count == 3)
        #expect(list.total == 25)
    }

    @Test func `Rows that are inserted and deleted between pages are in the list once`() async throws {
        let list = try await list(35)
        try await list.loadNext()
        let new: [String: Any] = ["number": 5, "name": "new"]
        try await service.resource("/rows").request(.post, json: new).value.content(as: Void.self)
        try await list.loadNext()
        #expect(list.items.map(\.number) == numbers(1..<20))
        try await list.reload(.firstThenMerge)
        #expect(list.items.map(\.number) == [5] + numbers(1..<20))
        #expect(list.total == 36)
        let second = try #require(list.items.first { $0.number == 20 })
        let request = service.resource("/rows/\(second.id)").request(.delete) {
            $0.setValue("\"\(second._etag)\"", forHTTPHeaderField: "If-Match")
        }
        try await request.value.content(as: Void.self)
        try await list.reload()
        #expect(list.items.map(\.number) == [5, 10] + numbers(3..<21))
        #expect(list.total == 35)
    }

    @Test func `After each write, the observed pages are loaded again, and the list is what the server has`()
        async throws
    {
        service.configure("/rows") { $0.tags = ["rows"] }
        service.configure("/rows", requestMethods: [.post]) { $0.invalidates = ["rows"] }
        service.configure("/rows/*", requestMethods: [.patch, .delete]) { $0.invalidates = [.collection] }
        let (list, owner) = (try await list(25), NSObject())
        list.addObserver(owner: owner) { _, _ in }
        for _ in 0..<2 { try await list.loadNext() }
        let third = service.resource("/rows").withParam("page", "3")
        try await third.load().value.content(as: Void.self)

        let new: [String: Any] = ["number": 5, "name": "new"]
        try await write(service.resource("/rows").request(.post, json: new), thatChanges: list)
        #expect(list.items.map(\.number) == [5] + numbers(1..<20))
        #expect(list.total == 26)
        #expect(!third.isUpToDate)
        #expect(!third.isLoading)  // Nobody observes it.
        try await list.loadNext()
        #expect(list.items.map(\.number) == [5] + numbers(1..<26))
        #expect(list.pages.last === third)
        #expect(third.isUpToDate)

        let (first, second) = (list.items[1], list.items[2])
        try await write(request(.patch, first, json: ["name": "Ada"]), thatChanges: list)
        #expect(list.items[1].name == "Ada")
        #expect(list.items[1].number == 10)
        try await write(request(.delete, second), thatChanges: list)
        #expect(list.items.map(\.number) == [5, 10] + numbers(3..<26))
        #expect(list.total == 25)
        #expect(!list.hasNext)
        withExtendedLifetime(owner) {}
    }

    /// Waits for a write, and for the loads of the list that have begun before the hooks of the write.
    private func write(_ request: any Request, thatChanges list: PagedResource<Row>) async throws {
        var wasLoading = false
        request.onSuccess { _ in wasLoading = list.pages.allSatisfy(\.isLoading) }
        try await request.value.content(as: Void.self)
        #expect(wasLoading)
        try await Poll.until { !list.isLoading }
    }

    private func request(_ method: RequestMethod, _ row: Row, json: [String: Any] = [:]) -> any Request {
        service.resource("/rows/\(row.id)").request(method, json: json) {
            $0.setValue("\"\(row._etag)\"", forHTTPHeaderField: "If-Match")
        }
    }

    @Test func `A row is revalidated by its tag, and changed by its tag`() async throws {
        _ = try await list(3)
        let row = service.resource("/rows/2", as: Row.self)
        if row.entity == nil { try await row.get(.always) }
        let entity = try #require(row.entity)
        try await row.get(.always)
        #expect(row.snapshot.source == .revalidated)
        #expect(entity.etag == row.entity?.etag)
        let change = row.request(.patch, body: .json(["name": "Ada"])) {
            $0.setValue(entity.etag, forHTTPHeaderField: "If-Match")
        }
        try await change.value.content(as: Void.self)
        #expect(try await row.get(.always).name == "Ada")
        #expect(row.snapshot.source == .network)
    }
}
