import Foundation
import Observation
import SiestaCore
import SiestaLists
import SiestaTesting
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The loads of lists in pages, and what code of the app sees of them.
@MainActor @Suite(.timeLimit(.test))
struct PagedResourceLoadingTests {
    private let server = PagedServer(1...12)
    private let owner = NSObject()

    // MARK: Fresh items

    @Test func `The items are returned after the loads that are needed`() async throws {
        let list = server.list()
        #expect(try await list.get() == [1, 2, 3])
        #expect(try await list.get() == [1, 2, 3])
        #expect(server.requestedPages == [1])
        try await list.loadNext()
        server.clock.advance(by: 31)
        #expect(try await list.get() == Array(1...6))
        #expect(server.requestedPages == [1, 2, 1])
        list.visibleItems = 4..<5
        try await list.get()
        try await list.get()
        #expect(server.requestedPages == [1, 2, 1, 2])
    }

    @Test func `Calls share the loads, and a cancelled one does not end them`() async throws {
        let list = server.list()
        server.isHeld = true
        let calls = (0..<3).map { _ in Task.immediate { try await list.get() } }
        calls[0].cancel()
        await #expect(throws: RequestError.self) { try await calls[0].value }
        #expect(server.requestedPages == [1])
        await server.answer()
        #expect(try await calls[1].value == [1, 2, 3])
        #expect(try await calls[2].value == [1, 2, 3])
        #expect(server.requestedPages == [1])
    }

    @Test func `The error of a page is thrown, and the items stay`() async throws {
        let list = try await server.list(pages: 2)
        for page in list.pages { page.invalidate() }
        server.requestsBeforeFailure = 0
        let error = await #expect(throws: RequestError.self) { try await list.get() }
        #expect(error?.httpStatusCode == 500)
        #expect(error?.requestURL == server.page(1).url)
        #expect(list.error?.requestURL == error?.requestURL)
        #expect(list.items == Array(1...6))
    }

    // MARK: Loads that return at once

    @Test func `At the event of its load, the next page is being loaded`() async throws {
        let list = try await server.list(pages: 1)
        var log: [String] = []
        list.addObserver(owner: owner) { list, event in
            log.append("\(event.event) \(list.isLoadingNext) \(list.isLoadingPrevious)")
        }
        try await list.loadNext()
        #expect(
            log == ["observerAdded false false", "requested true false", "newData(network) false false"])
        try await list.pages[0].get(.always)
        #expect(log.suffix(2) == ["requested false false", "notModified false false"])
    }

    @Test func `A hundred calls of beginLoadingNext() load one page`() async throws {
        let list = try await server.list(pages: 1)
        server.isHeld = true
        for _ in 0..<100 { list.beginLoadingNext() }
        #expect(list.isLoadingNext)
        #expect(list.isLoading)
        #expect(server.requestedPages == [1, 2])
        let call = Task { try await list.loadNext() }
        await server.settle()
        #expect(server.requestedPages == [1, 2])
        await server.answer()
        try await call.value
        #expect(list.items == Array(1...6))
        #expect(!list.isLoadingNext)
        #expect(!list.isLoading)
    }

    @Test func `A failure is in the list, and the next call tries the page again`() async throws {
        let list = try await server.list(pages: 1)
        server.requestsBeforeFailure = 0
        list.beginLoadingNext()
        await server.settle()
        #expect(list.error?.requestURL == server.page(2).url)
        #expect(list.items == [1, 2, 3])
        #expect(!list.isLoadingNext)
        list.beginLoadingNext()
        await server.settle()
        #expect(list.error == nil)
        #expect(list.items == Array(1...6))
    }

    @Test func `At the end of the list, nothing is loaded`() async throws {
        let list = try await server.list(pages: 4)
        list.beginLoadingNext()
        list.beginLoadingPrevious()
        await server.settle()
        #expect(!list.hasNext)
        #expect(server.requestedPages == [1, 2, 3, 4])
        #expect(!list.isLoading)
    }

    @Test func `Both directions are loaded at the same time`() async throws {
        let list = server.list(server.page(3))
        try await list.loadNext()
        server.isHeld = true
        list.beginLoadingPrevious()
        list.beginLoadingNext()
        list.beginLoadingPrevious()
        #expect(list.isLoadingNext)
        #expect(list.isLoadingPrevious)
        #expect(server.requestedPages == [3, 2, 4])
        await server.answer()
        #expect(list.items == Array(4...12))
        #expect(!list.isLoadingNext)
        #expect(!list.isLoadingPrevious)
    }

    @Test func `During a reload, the next page waits for its end`() async throws {
        let list = try await server.list(pages: 2)
        server.isHeld = true
        let reload = Task { try await list.reload(.all) }
        await server.settle()
        #expect(server.requestedPages == [1, 2, 1])
        list.beginLoadingNext()
        let call = Task { try await list.loadNext() }
        await server.settle()
        #expect(server.requestedPages == [1, 2, 1])
        #expect(!list.isLoadingNext)
        await server.answer()
        try await reload.value
        try await call.value
        #expect(server.requestedPages == [1, 2, 1, 2, 3])
        #expect(list.items == Array(1...9))
    }

    @Test func `A fresh page is added at once, and the observers are told`() async throws {
        let list = try await server.list(pages: 1)
        try await server.page(2).get(.always)
        #expect(list.items == [1, 2, 3])
        var events: [String] = []
        list.addObserver(owner: owner) { list, event in
            events.append("\(event.event) \(PagedServer.number("page", of: event.page?.url) ?? 0) \(list.items.count)")
        }
        list.beginLoadingNext()
        #expect(list.items == Array(1...6))
        #expect(server.requestedPages == [1, 2])
        #expect(!list.isLoadingNext)
        #expect(events == ["observerAdded 0 3", "newData(cache) 2 6"])
    }

    @Test func `A page whose last load has failed is loaded again, even within its retry time`() async throws {
        let list = try await server.list(pages: 1)
        for _ in 0..<2 {
            server.requestsBeforeFailure = 0
            await #expect(throws: RequestError.self) { try await list.loadNext() }
        }
        #expect(server.requestedPages == [1, 2, 2])
    }

    // MARK: Pages that a person sees

    @Test func `loadIfNeeded() loads the first page, and then only visible pages`() async throws {
        server.service.configure { $0.expirationTime = 1 }
        let list = server.list()
        list.loadIfNeeded()
        #expect(server.requestedPages == [1])
        await server.settle()
        for _ in 0..<3 { try await list.loadNext() }
        list.visibleItems = 4..<8
        server.clock.advance(by: 10)
        list.loadIfNeeded()
        await server.settle()
        #expect(server.requestedPages == [1, 2, 3, 4, 1])
        list.loadIfNeeded()
        await server.settle()
        #expect(server.requestedPages.sorted() == [1, 1, 2, 2, 3, 3, 4])
        list.visibleItems = nil
        list.loadIfNeeded()
        await server.settle()
        #expect(server.requestedPages.sorted() == [1, 1, 2, 2, 3, 3, 4, 4])
        list.loadIfNeeded()
        #expect(server.requestedPages.count == 8)
    }

    @Test(arguments: [0..<3, 20..<30, 5..<5])
    func `Only pages with visible items are visible`(_ range: Range<Int>) async throws {
        let list = try await server.list(pages: 3)
        list.visibleItems = range
        server.network.handler = { [server] request in
            #expect(PagedServer.number("page", of: request.url) == 1)
            return server.answer(to: request)
        }
        try await list.reload(.visible)
        #expect(server.requestedPages.count == (range.lowerBound == 0 ? 4 : 3))
    }

    // MARK: Pages from memory and caches

    @Test func `Filling a list from caches ends at a page that they do not contain, and forgets this page`()
        async throws
    {
        let list = server.list()
        try await server.first.get(.always)
        for number in [2, 3] { server.page(number).content = Data() }
        server.page(2).wipe()
        await list.loadCachedPages()
        #expect(list.items == [1, 2, 3])
        #expect(list.hasNext)
        #expect(list.resources.count == 1)
        var events = 0
        list.addObserver(owner: owner) { _, _ in events += 1 }
        try await server.page(2).get(.always)
        #expect(list.items == [1, 2, 3])
        #expect(events == 1)
    }

    @Test func `Filling a list from caches respects both limits`() async throws {
        for number in 1...4 { try await server.page(number).get(.always) }
        let list = server.list(maxPages: 3)
        await list.loadCachedPages(upTo: 2)
        #expect(list.items == Array(1...6))
        await list.loadCachedPages()
        #expect(list.items == Array(1...9))
        #expect(list.pageNumbers == [1, 2, 3])
        let whole = server.list()
        await whole.loadCachedPages()
        #expect(whole.items == Array(1...12))
        #expect(!whole.hasNext)
        #expect(server.network.requests.count == 4)
    }

    // MARK: All resources of a list

    @Test func `The resources of a list are its pages and those that are being loaded, each once`() async throws {
        let list = try await server.list(pages: 1)
        #expect(list.resources == [server.page(1).resource])
        server.isHeld = true
        let changes = Tracked()
        track(changes, "resources") { _ = list.resources }
        list.beginLoadingNext()
        #expect(changes.names == ["resources"])
        #expect(list.resources == [server.page(1).resource, server.page(2).resource])
        #expect(list.pages.count == 1)
        track(changes, "resources again") { _ = list.resources }
        await server.answer()
        #expect(list.resources == list.pages)
        #expect(list.pages.count == 2)
        #expect(changes.names.count == 2)
    }

    @Test func `A list is loading while a page that it has dropped is still being loaded for it`() async throws {
        let list = try await server.list(pages: 2)
        server.isHeld = true
        list.beginLoadingNext()
        server.page(3).content = Data("7,8".utf8)
        #expect(list.pages.count == 3)
        server.rows = Array(1...5)  // The second page becomes the last one.
        server.page(2).resource.load()
        let exchange = try #require(server.network.exchanges.last)
        exchange.respond(with: server.answer(to: exchange.request))
        await server.settle()
        #expect(list.pages.count == 2)
        #expect(list.isLoadingNext)
        #expect(list.isLoading)
        await server.answer()
        #expect(!list.isLoadingNext)
        #expect(!list.isLoading)
    }

    // MARK: Code of the app that calls back

    @Test func `A closure for items that changes its page does not bring back old items`() async throws {
        let first = server.first
        var changes = 0
        let list = PagedResource(
            first,
            items: { page -> [Int] in
                if changes == 1 {
                    changes = 2
                    first.content = Data("77".utf8)
                }
                return PagedServer.rows(in: page)
            }, id: { $0 }, next: .link)
        try await list.loadNext()
        server.rows = [5, 6, 7]
        changes = 1
        try await first.get(.always)
        #expect(changes == 2)
        #expect(list.items == [77])
    }

    // MARK: Observation

    private func track(_ changes: Tracked, _ name: String, _ read: () -> Void) {
        withObservationTracking(read) { changes.add(name) }
    }

    @Test func `Observation reports each property when it changes, and only then`() async throws {
        let list = server.list(server.page(2), maxPages: 2)
        let changes = Tracked()
        func trackAll() {
            track(changes, "items") { _ = list.items }
            track(changes, "pages") { _ = list.pages }
            track(changes, "hasNext") { _ = list.hasNext }
            track(changes, "hasPrevious") { _ = list.hasPrevious }
            track(changes, "isLoading") { _ = list.isLoading }
            track(changes, "isLoadingNext") { _ = list.isLoadingNext }
            track(changes, "isLoadingPrevious") { _ = list.isLoadingPrevious }
            track(changes, "error") { _ = list.error }
            track(changes, "total") { _ = list.total }
        }
        trackAll()
        try await list.loadNext()
        #expect(Set(changes.take()) == ["items", "hasPrevious", "isLoading", "isLoadingNext", "total"])
        trackAll()
        server.requestsBeforeFailure = 0
        try? await list.loadPrevious()
        #expect(Set(changes.take()) == ["isLoading", "isLoadingPrevious", "error"])
        trackAll()
        try await list.loadPrevious()
        let growth: Set<String> = ["items", "pages", "hasPrevious", "isLoading", "isLoadingPrevious", "error"]
        #expect(Set(changes.take()) == growth)
        trackAll()
        try await list.loadNext()
        let shift: Set<String> = ["items", "pages", "hasPrevious", "isLoading", "isLoadingNext"]
        #expect(Set(changes.take()) == shift)
        trackAll()
        try await list.loadNext()
        #expect(changes.take().contains("hasNext"))
        #expect(!list.hasNext)
    }

    @Test func `The load of a stale page continues without the task that waits for it`() async throws {
        let list = try await server.list(pages: 1)
        list.pages[0].invalidate()
        server.isHeld = true
        let call = Task.immediate { try await list.get() }
        #expect(server.requestedPages == [1, 1])
        call.cancel()
        await #expect(throws: RequestError.self) { try await call.value }
        await server.answer()
        #expect(list.pages[0].isUpToDate)
    }

    @Test(arguments: [true, false])
    func `Items that are wiped before the waiting task continues are a cancellation`(withCaches: Bool) async throws {
        let list = server.list()
        server.page(1).resource.addObserver(owner: owner) { [service = server.service] _, event in
            if case .newData(.network) = event { service.wipeResources(includingCaches: withCaches) }
        }
        let error = await #expect(throws: RequestError.self) { try await list.get() }
        #expect(error?.isCancellation == true)
    }

    @Test func `A load for which the list waits no more can be abandoned`() async throws {
        let list = try await server.list(pages: 3)
        for page in list.pages.dropFirst() { page.invalidate() }
        server.isHeld = true
        let waiting = Task { try await list.get() }
        await server.settle()
        waiting.cancel()
        await #expect(throws: RequestError.self) { try await waiting.value }
        await server.settle()
        #expect(list.pages[2].isLoading)  // The end of the wait alone cancels nothing.
        list.pages[2].cancelLoadIfUnobserved()
        #expect(!list.pages[2].isLoading)
    }
}

/// The names of changed properties, in order.
private final class Tracked: @unchecked Sendable {  // All changes are on the main actor.
    private(set) var names: [String] = []

    func add(_ name: String) { names.append(name) }

    /// Returns the names since the last call.
    func take() -> [String] {
        defer { names = [] }
        return names
    }
}
