import Foundation
import SiestaCore
import SiestaLists
import SiestaTesting
import TestKit
import Testing

/// Reloads of lists in pages, and the ends of lists.
@MainActor @Suite(.timeLimit(.test))
struct PagedResourceReloadingTests {
    private let server = PagedServer(1...12)

    // MARK: Reloads

    @Test func `Concurrent reloads in the same way are one reload, and another way waits`() async throws {
        let list = try await server.list(pages: 2)
        server.isHeld = true
        let calls = (0..<10).map { _ in Task { try await list.reload(.all) } }
        await server.settle()
        let other = Task { try await list.reload(.visible) }
        await server.settle()
        #expect(server.requestedPages == [1, 2, 1])
        await server.answer()
        for call in calls + [other] { try await call.value }
        #expect(server.requestedPages.prefix(4) == [1, 2, 1, 2])
        #expect(server.requestedPages.dropFirst(4).sorted() == [1, 2])
    }

    @Test func `A reload of an empty list loads its first page`() async throws {
        for way in [PageReload.all, .firstThenMerge, .visible] {
            let server = PagedServer(1...9)
            let list = server.list()
            try await list.reload(way)
            #expect(list.items == [1, 2, 3], "\(way)")
            #expect(server.requestedPages == [1], "\(way)")
        }
    }

    @Test func `The first failure of a reload of visible pages is thrown, and all of them are loaded`() async throws {
        let list = try await server.list(pages: 3)
        server.network.handler = { _ in .response(500) }
        let error = await #expect(throws: RequestError.self) { try await list.reload(.visible) }
        #expect(error?.requestURL == server.page(1).url)
        #expect(server.requestedPages.count == 6)
        #expect(list.items == Array(1...9))
        #expect(list.error != nil)
    }

    @Test func `A reload that a wipe ends leaves no error`() async throws {
        let list = try await server.list(pages: 2)
        server.isHeld = true
        let reload = Task { try await list.reload(.all) }
        await server.settle()
        server.service.wipeResources()
        await #expect(throws: RequestError.self) { try await reload.value }
        #expect(list.error == nil)
        #expect(list.items.isEmpty)
        #expect(!list.isLoading)
    }

    @Test func `A reload of all pages forgets what a merge has kept`() async throws {
        let list = try await server.list(pages: 2)
        server.rows.insert(0, at: 0)
        try await list.reload(.firstThenMerge)
        #expect(list.items == Array(0...6))
        server.rows.removeAll { $0 == 3 }
        try await list.reload(.all)
        #expect(list.items == [0, 1, 2, 4, 5, 6])
    }

    @Test func `A deleted last item of the first page leaves the list with the load of the second page`() async throws {
        let list = try await server.list(pages: 2)
        server.rows.removeAll { $0 == 3 }
        try await list.reload(.firstThenMerge)
        try await list.pages[1].get()
        #expect(list.items == [1, 2, 4, 5, 6, 7])
    }

    @Test func `A second page that has not changed shows that items before it were deleted`() async throws {
        let list = try await server.list(pages: 2)
        server.rows = [0, 1, 2] + server.rows.dropFirst(3)
        try await list.reload(.firstThenMerge)
        #expect(list.items == [0, 1, 2, 3, 4, 5, 6])
        await list.pages[1].load().completion()
        #expect(list.items == [0, 1, 2, 4, 5, 6])
    }

    @Test func `A second page that has not changed shows that its hidden items were not deleted`() async throws {
        let server = PagedServer(1...6)
        let list = try await server.list(pages: 2)
        server.rows = [2, 3, 5, 6]
        try await list.reload(.firstThenMerge)
        #expect(list.items == [2, 3, 5, 6])
        server.rows = Array(1...6)
        await list.pages[1].load().completion()
        #expect(server.requestedPages == [1, 2, 1, 2])
        #expect(list.items == [2, 3, 5, 4, 6])
    }

    @Test func `A merge loads the first page of the whole list`() async throws {
        let list = server.list(server.page(3))
        try await list.loadNext()
        try await list.loadPrevious()
        try await list.reload(.firstThenMerge)
        #expect(server.requestedPages == [3, 2, 2])
        #expect(list.items == Array(4...9))
    }

    @Test func `If the first page was dropped, a merge starts again with it`() async throws {
        let list = try await server.list(pages: 3, maxPages: 2)
        let others = list.pages
        try await list.reload(.firstThenMerge)
        #expect(list.items == [1, 2, 3])
        #expect(server.requestedPages == [1, 2, 3, 1])
        #expect(others.allSatisfy { $0.isStale })
        #expect(!list.hasPrevious)
    }

    // MARK: Shorter lists

    @Test func `A page that leads no further ends the list, unless the app has changed it`() async throws {
        let list = try await server.list(pages: 3, .pageNumber(size: 3))
        server.first.content = Data("1,2".utf8)
        #expect(list.items == [1, 2] + Array(4...9))
        #expect(list.pages.count == 3)
        server.rows = [1, 2, 3, 4]
        try await server.page(2).get(.always)
        #expect(list.items == [1, 2, 4])
        #expect(list.pages.count == 2)
        #expect(!list.hasNext)
    }

    @Test func `A reload of all pages ends where the links end`() async throws {
        let list = try await server.list(pages: 3)
        server.link = { $0 == 2 ? "<https://other.test/rows>; rel=next" : "</rows?page=\($0 + 1)>; rel=next" }
        try await list.reload(.all)
        #expect(list.items == Array(1...6))
        #expect(list.pages.count == 2)
        #expect(server.requestedPages == [1, 2, 3, 1, 2])
    }

    @Test func `A link to a page that was dropped at the beginning ends the list`() async throws {
        server.link = { "</rows?page=\($0 % 3 + 1)>; rel=next" }
        let list = try await server.list(pages: 5, maxPages: 2)
        #expect(list.pageNumbers == [2, 3])
        #expect(!list.hasNext)
        #expect(server.requestedPages == [1, 2, 3])
    }

    @Test func `A maximum below 1 counts as 1`() async throws {
        let list = try await server.list(pages: 3, maxPages: 0)
        #expect(list.pageNumbers == [3])
        #expect(list.items == [7, 8, 9])
        try await list.loadPrevious()
        #expect(list.pageNumbers == [2])
        #expect(list.hasPrevious)
        #expect(list.hasNext)
    }

    @Test func `After a wipe of its beginning, a list starts again with the first page of the whole list`() async throws
    {
        let list = try await server.list(pages: 3, maxPages: 2)
        server.page(2).wipe()
        #expect(list.items == [1, 2, 3])
        #expect(list.pageNumbers == [1])
        #expect(!list.hasPrevious)
        #expect(list.total == 12)
    }

    @Test func `A way back that was forgotten is not taken`() async throws {
        let cursor = PageLink<Data>.cursor("after") { PagedServer.rows(in: $0).last.map(String.init) }
        let list = try await server.list(pages: 3, cursor, maxPages: 1)
        #expect(list.hasPrevious)
        server.service.wipeResources()
        #expect(!list.hasPrevious)
        #expect(list.hasNext)
        try await list.loadNext()
        #expect(list.items == [1, 2, 3])
        #expect(!list.hasPrevious)
    }

    @Test func `A reader throws the failure of the reload for which it waits`() async throws {
        let list = try await server.list(pages: 1)
        server.isHeld = true
        let reload = Task { try await list.reload() }
        await server.settle()
        let reader = Task { try await list.get() }
        await server.settle()
        server.requestsBeforeFailure = 0
        await server.answer()
        await #expect(throws: RequestError.self) { try await reload.value }
        await #expect(throws: RequestError.self) { try await reader.value }
    }

    @Test func `Pages that were dropped become stale with the page before them`() async throws {
        let pages = (1...3).map { server.service.resource("/rows").withParam("page", "\($0)") }
        let list = try await server.list(pages: 3, maxPages: 1)
        #expect(list.items == [7, 8, 9])
        #expect(pages.map(\.isUpToDate) == [true, true, true])
        list.invalidatePages(from: pages[0], isLoaded: false)
        #expect(pages.map(\.isUpToDate) == [false, false, false])
    }

    @Test func `After a wipe, a failed reload of a first page that was dropped leaves no error`() async throws {
        let list = try await server.list(pages: 2, maxPages: 1)
        server.requestsBeforeFailure = 0
        await #expect(throws: RequestError.self) { try await list.reload(.firstThenMerge) }
        #expect(list.error != nil)
        _ = server.page(2)  // It is told of the wipe after the first page.
        server.service.wipeResources()
        #expect(list.items.isEmpty)
        #expect(list.error == nil)
    }

    @Test(arguments: [true, false])
    func `A load for which a list waits after another one is not cancelled`(isReload: Bool) async throws {
        let list = try await server.list(pages: 3)
        for page in list.pages.dropFirst() { page.invalidate() }
        server.isHeld = true
        let waiting = Task { if isReload { try await list.reload(.visible) } else { _ = try await list.get() } }
        await server.settle()
        list.pages[2].cancelLoadIfUnobserved()
        await server.answer()
        try await waiting.value
        #expect(list.pages.allSatisfy { !$0.isStale })
    }

    @Test func `A task that stops waiting for a page does not end the reload of the visible pages`() async throws {
        let list = try await server.list(pages: 2)
        server.isHeld = true
        let reload = Task { try await list.reload(.visible) }
        await server.settle()
        let page = list.pages[1]
        let other = Task { _ = try await page.get() }
        await server.settle()
        other.cancel()
        await #expect(throws: RequestError.self) { try await other.value }
        await server.answer()
        try await reload.value
        #expect(server.requestedPages.count == 4)
    }
}
