import Foundation
import Observation
import SiestaCore
import SiestaLists
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The pages that a list has, keeps and forgets.
@MainActor @Suite(.timeLimit(.test))
struct PagedResourceRulesTests {
    private let server = PagedServer(1...12)
    private let owner = NSObject()

    private var cursor: PageLink<Data> { .cursor("after") { PagedServer.rows(in: $0).last.map(String.init) } }

    // MARK: New content of the first page

    @Test func `New content of the first page with the same items leaves the other pages fresh`() async throws {
        let list = try await server.list(pages: 3)
        server.network.handler = { [server] request in
            var plain = request
            plain.setValue(nil, forHTTPHeaderField: "If-None-Match")
            return server.answer(to: plain)
        }
        try await server.first.get(.always)
        #expect(server.first.snapshot.source == .network)
        #expect(list.items == Array(1...9))
        #expect(list.pages.allSatisfy { $0.isUpToDate })
    }

    @Test func `Without a common item, a merge makes the other pages stale`() async throws {
        let list = try await server.list(pages: 3)
        let others = list.pages.dropFirst()
        server.rows = Array(101...112)
        try await list.reload(.firstThenMerge)
        #expect(list.items == [101, 102, 103])
        #expect(others.allSatisfy { $0.isStale })
    }

    @Test func `Without a common item, a reload of all pages keeps their number`() async throws {
        let list = try await server.list(pages: 3)
        server.rows = Array(101...112)
        try await list.reload(.all)
        #expect(list.items == Array(101...109))
        #expect(server.requestedPages == [1, 2, 3, 1, 2, 3])
    }

    @Test func `Only the first page of the whole list starts the list again`() async throws {
        let list = try await server.list(pages: 3, maxPages: 2)
        server.rows = Array(101...112)
        try await server.page(2).get(.always)
        #expect(list.items == [104, 105, 106, 7, 8, 9])
        #expect(list.pages.map(\.isStale) == [false, true])
    }

    @Test func `An item of the first page does not count as deleted when this page is dropped`() async throws {
        let list = try await server.list(pages: 2, maxPages: 2)
        for _ in 0..<2 {
            server.rows.removeFirst()
            try await list.reload(.firstThenMerge)
        }
        #expect(list.items == [3, 4, 5, 6])
        try await list.loadNext()
        #expect(list.items == [4, 5, 6, 9, 10, 11])
    }

    @Test func `An item that may have moved to the page before the list stays`() async throws {
        let server = PagedServer(1...9)
        let list = server.list(server.page(2))
        for _ in 0..<2 { try await list.loadNext() }
        server.rows = [7, 3, 4, 5, 6, 8, 9]
        try await server.page(2).get(.always)
        #expect(list.items == [5, 6, 8, 7, 9])
    }

    // MARK: The way back

    @Test func `With a maximum of 0, the way back leads to the page before`() async throws {
        let list = try await server.list(pages: 3, cursor, maxPages: 0)
        #expect(list.items == [7, 8, 9])
        try await list.loadPrevious()
        #expect(list.items == [4, 5, 6])
    }

    @Test func `A dropped page without data is the way back if no link leads back`() async throws {
        let list = try await server.list(pages: 4, cursor, maxPages: 1)
        server.service.flushUnusedResources()
        try await list.loadPrevious()
        #expect(list.items == [7, 8, 9])
        #expect(list.hasPrevious)
        try await list.loadPrevious()
        #expect(list.items == [4, 5, 6])
    }

    @Test(arguments: [true, false])
    func `Pages whose loads have a body are loaded with this body, there and back`(_ isCursor: Bool) async throws {
        let first = server.service.resource("/rows", as: Data.self, loadedBy: .post, body: .json(["q": 1]))
        let list = server.list(first, next: isCursor ? cursor : .pageNumber(), maxPages: 1)
        for _ in 0..<4 { try await list.loadNext() }
        #expect(list.items == [10, 11, 12])
        server.service.flushUnusedResources()
        for _ in 0..<2 { try await list.loadPrevious() }
        #expect(list.items == [4, 5, 6])
        let requests = server.network.requests
        #expect(requests.allSatisfy { $0.httpMethod == "POST" && $0.httpBody != nil })
    }

    // MARK: Pages that leave the list

    @Test func `A page to which the list leads no more is forgotten with its failure`() async throws {
        let list = try await server.list(pages: 1)
        server.requestsBeforeFailure = 0
        await #expect(throws: RequestError.self) { try await list.loadNext() }
        #expect(list.error?.requestURL == server.page(2).url)
        server.link = { _ in "</rows?page=3>; rel=next" }
        try await server.first.get(.always)
        #expect(list.error == nil)
        #expect(list.resources == [server.page(1).resource])
        try await list.loadNext()
        #expect(list.error == nil)
        #expect(list.resources == [server.page(1).resource, server.page(3).resource])
    }

    @Test func `If the first page is wiped while the next one is loaded, the list loads nothing any more`() async throws
    {
        let list = try await server.list(pages: 1)
        server.isHeld = true
        list.beginLoadingNext()
        server.first.wipe()
        #expect(!list.isLoading)
        #expect(list.resources == [server.first.resource])
    }

    @Test func `Who joins the load of the next page receives its failure, also if the list leads elsewhere now`()
        async throws
    {
        let list = try await server.list(pages: 1)
        server.isHeld = true
        let one = Task.immediate { try await list.loadNext() }
        let exchange = try await server.network.exchange(2)
        server.isHeld = false
        server.link = { _ in "</rows?page=3>; rel=next" }
        try await server.first.get(.always)
        let two = Task.immediate { try await list.loadNext() }
        exchange.respond(with: .response(500))
        for task in [one, two] {
            let error = await #expect(throws: RequestError.self) { try await task.value }
            #expect(error?.requestURL == server.page(2).url)
        }
        #expect(server.requestedPages == [1, 2, 1])
    }

    @Test func `A page that a failed reload did not bring into the list announces no items`() async throws {
        let list = try await server.list(pages: 2)
        server.link = { $0 == 1 ? "</rows?page=3>; rel=next" : nil }
        server.requestsBeforeFailure = 1
        await #expect(throws: RequestError.self) { try await list.reload() }
        let isTold = Flag()
        withObservationTracking {
            _ = list.items
        } onChange: {
            isTold.set()
        }
        try await server.page(3).get(.always)
        #expect(!isTold.isSet)
        #expect(list.items == Array(1...6))
    }

    @Test func `A link to a resource that cannot be loaded ends the list`() async throws {
        let next = server.service.resource("/rows", as: Data.self, loadedBy: .post, body: .json(["date": Date()]))
        let list = server.list(next: .resource { _ in next })
        try await list.loadNext()
        #expect(list.items == [1, 2, 3])
        #expect(!list.hasNext)
    }

    // MARK: Loads

    @Test func `A cancelled task fills no list from caches`() async throws {
        for number in 1...4 { try await server.page(number).get(.always) }
        let list = server.list()
        let task = Task { await list.loadCachedPages() }
        task.cancel()
        await task.value
        #expect(list.items == [1, 2, 3])
    }

    @Test func `If a list starts again while it is filled from caches, the filling ends`() async throws {
        let cache = InMemoryCache()
        let endRead = cache.holdReads()
        server.service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
        let list = server.list(next: .pageNumber())
        let task = Task.immediate { await list.loadCachedPages() }
        server.first.content = Data("1,2,3".utf8)
        server.first.wipe()
        server.first.content = Data("4,5,6".utf8)
        endRead()
        await task.value
        #expect(list.resources == [server.first.resource])
        #expect(list.items == [4, 5, 6])
    }

    @Test func `A cancelled task starts no reload`() async throws {
        let list = try await server.list(pages: 1)
        let task = Task { try await list.reload() }
        task.cancel()
        await #expect(throws: RequestError.self) { try await task.value }
        await server.settle()
        #expect(server.requestedPages == [1])
    }

    @Test func `A reload whose new links lead back to an earlier page ends the list before it`() async throws {
        let list = try await server.list(pages: 3)
        server.link = { $0 == 1 ? "</rows?page=2>; rel=next" : "</rows?page=1>; rel=next" }
        try await list.reload(.all)
        #expect(list.pageNumbers == [1, 2])
        #expect(list.items == Array(1...6))
    }

    @Test func `A reload of the visible pages of an empty list loads its first page`() async throws {
        let list = server.list()
        list.visibleItems = 0..<3
        try await list.reload(.visible)
        #expect(list.items == [1, 2, 3])
    }

    // MARK: State

    @Test func `A page without a total keeps the total of an earlier page`() async throws {
        server.network.handler = { [server] request in
            PagedServer.number("page", of: request.url) == 2
                ? .response(200, body: Data("4".utf8)) : server.answer(to: request)
        }
        let list = try await server.list(pages: 2)
        #expect(list.items == [1, 2, 3, 4])
        #expect(list.total == 12)
    }

    @Test func `A new list has the state of its first page`() async throws {
        server.isHeld = true
        server.first.resource.load()
        #expect(server.list().isLoading)
        let failing = PagedServer(1...3)
        failing.requestsBeforeFailure = 0
        _ = try? await failing.first.get(.always)
        #expect(failing.list().error?.requestURL == failing.first.url)
    }

    @Test func `A wipe announces that the pages have changed`() async throws {
        let list = try await server.list(pages: 2)
        let isTold = Flag()
        withObservationTracking {
            _ = list.pages
        } onChange: {
            isTold.set()
        }
        server.service.wipeResources()
        #expect(isTold.isSet)
        #expect(list.pages.count == 1)
    }

    // MARK: Observers

    @Test func `Observers are told of the end of a reload`() async throws {
        let (list, log) = (try await server.list(pages: 3, maxPages: 2), EventLog())
        list.addObserver(owner: owner) { list, event in
            log.add("\(event.event) \(PagedServer.number("page", of: event.page?.url) ?? 0) \(list.items.count)")
        }
        try await list.reload(.all)
        #expect(log.take().last == "notModified 0 6")
        try await list.reload(.firstThenMerge)
        #expect(log.take().last == "newData(network) 1 3")
    }

    @Test func `An observer whose owner an earlier observer releases is not told`() async throws {
        let (list, log) = (try await server.list(pages: 1), EventLog())
        var second: NSObject? = NSObject()
        list.addObserver(owner: owner) { _, event in if event.page != nil { second = nil } }
        if let second { list.addObserver(owner: second) { _, _ in log.add("second") } }
        #expect(log.take() == ["second"])
        server.first.content = Data("7".utf8)
        #expect(log.take().isEmpty)
        #expect(second == nil)
    }

    @Test func `When the last observer of a list is removed, the delay for the end of loads begins`() async throws {
        server.service.configure { $0.cancelsLoadsAfterLastObserver = 1 }
        let list = try await server.list(pages: 1)
        list.addObserver(owner: owner) { _, _ in }
        server.isHeld = true
        list.beginLoadingNext()
        list.removeObservers(ownedBy: owner)
        server.clock.advance(by: 2)
        await server.settle()
        #expect(!list.isLoadingNext)
        #expect(server.network.exchanges[1].isCancelled)
    }
}

private final class Flag: @unchecked Sendable {  // All uses are on the main actor.
    private(set) var isSet = false

    func set() { isSet = true }
}
