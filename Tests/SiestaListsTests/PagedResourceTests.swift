import Foundation
import Observation
import SiestaCore
import SiestaLists
import SiestaTesting
import TestKit
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor @Suite(.timeLimit(.test))
struct PagedResourceTests {
    // MARK: Growing

    @Test func `A list grows along its links until its end`() async throws {
        let server = PagedServer(1...7)
        let list = server.list()
        #expect(list.items.isEmpty)
        #expect(list.hasNext)
        #expect(!list.hasPrevious)
        #expect(list.total == nil)
        try await list.loadNext()
        #expect(list.items == [1, 2, 3])
        #expect(list.hasNext)
        #expect(list.total == 7)
        try await list.loadNext()
        try await list.loadNext()
        #expect(list.items == Array(1...7))
        #expect(!list.hasNext)
        #expect(list.pageNumbers == [1, 2, 3])
        try await list.loadNext()
        #expect(server.requestedPages == [1, 2, 3])
        #expect(!list.isLoading)
        #expect(list.error == nil)
    }

    @Test(arguments: 0..<5)
    func `All kinds of links lead to the same list`(_ kind: Int) async throws {
        let server = PagedServer(1...8)
        let cursor = PageLink<Data>.cursor("after") { page in
            PagedServer.rows(in: page).last.flatMap { $0 == 8 ? nil : "\($0)" }
        }
        let url = PageLink<Data>.url { page in
            PagedServer.rows(in: page).last.flatMap { $0 == 8 ? "" : "?after=\($0)" }
        }
        let offset = PageLink<Data>.offset(limit: 3)
        let link = [.link, .pageNumber(size: 3), offset, cursor, url][kind]
        let list = server.list(server.service.resource("/rows").typed(), next: link)
        for _ in 0..<5 { try await list.loadNext() }
        #expect(list.items == Array(1...8))
        #expect(!list.hasNext)
        #expect(list.pages.count == 3)
        #expect(server.network.requests.count == 3)
    }

    @Test func `Page numbers end with an empty page, or with a short page if the size is known`() async throws {
        let server = PagedServer(1...6)
        let open = server.list(next: .pageNumber())
        for _ in 0..<4 { try await open.loadNext() }
        #expect(open.items == Array(1...6))
        #expect(open.pageNumbers == [1, 2, 3])
        #expect(!open.hasNext)
        let sized = server.list(next: .pageNumber(size: 3))
        for _ in 0..<4 { try await sized.loadNext() }
        #expect(sized.items == Array(1...6))
        #expect(sized.pageNumbers == [1, 2])
        #expect(!sized.hasNext)  // by the total
    }

    @Test func `A list grows in both directions`() async throws {
        let server = PagedServer(1...12)
        let list = server.list(server.page(3))
        try await list.loadNext()
        #expect(list.hasPrevious)
        #expect(list.hasNext)
        try await list.loadPrevious()
        try await list.loadNext()
        try await list.loadPrevious()
        #expect(list.items == Array(1...12))
        #expect(list.pageNumbers == [1, 2, 3, 4])
        #expect(!list.hasPrevious)
        #expect(!list.hasNext)
    }

    @Test func `A maximum drops the pages at the far end, which can come back`() async throws {
        let server = PagedServer(1...12)
        let cursor = PageLink<Data>.cursor("after") { PagedServer.rows(in: $0).last.map(String.init) }
        let list = server.list(next: cursor, maxPages: 2)
        for _ in 0..<4 { try await list.loadNext() }
        #expect(list.items == Array(7...12))
        #expect(list.pages.count == 2)
        #expect(list.hasPrevious)
        try await list.loadPrevious()
        #expect(list.items == Array(4...9))
        #expect(list.hasPrevious)
        #expect(list.hasNext)
        try await list.loadPrevious()
        #expect(list.items == Array(1...6))
        #expect(!list.hasPrevious)
        #expect(server.network.requests.count == 4)  // The pages were fresh.
    }

    @Test(arguments: 0..<2)
    func `The way back leads to the first page of the app, even if its link has another URL`(_ kind: Int) async throws {
        let server = PagedServer(1...9)
        let first = server.service.resource("/rows")
        let list = server.list(first.typed(), next: [.link, .pageNumber()][kind], maxPages: 2)
        for _ in 0..<3 { try await list.loadNext() }
        #expect(list.items == Array(4...9))
        #expect(list.hasPrevious)
        try await list.loadPrevious()
        #expect(list.pages.first === first)
        #expect(list.items == Array(1...6))
        #expect(!list.hasPrevious)
        #expect(list.hasNext)
        #expect(server.network.requests.count == 3)  // The pages were fresh.
        server.rows.insert(0, at: 0)
        try await list.reload(.firstThenMerge)
        #expect(list.pages.first === first)
        #expect(list.items == Array(0...6))
    }

    @Test func `A dropped page whose new content leads elsewhere is not the way back`() async throws {
        let server = PagedServer(1...9)
        let back = "</rows?page=2>; rel=prev"
        server.link = { ["</rows?after=3>; rel=next", "</rows?after=6>; rel=next", back][$0 - 1] }
        let list = server.list(server.service.resource("/rows").typed(), maxPages: 1)
        for _ in 0..<3 { try await list.loadNext() }
        server.clock.advance(by: 3600)
        server.link = { _ in "</rows?after=7>; rel=next" }
        try await list.loadPrevious()
        #expect(server.network.requests.suffix(2).map(\.url?.query) == ["after=3", "page=2"])
        #expect(list.pages.map(\.url.query) == ["page=2"])
        #expect(list.items == [4, 5, 6])
    }

    @Test func `A hundred calls of loadNext() load one page`() async throws {
        let server = PagedServer(1...9)
        let list = server.list()
        try await list.loadNext()
        server.isHeld = true
        let calls = (0..<100).map { _ in Task { try await list.loadNext() } }
        _ = try await server.network.exchange(2)
        try await Poll.until { list.isLoadingNext }
        for _ in 0..<10 { await mainQueueTurn() }
        server.answerHeldRequests()
        for call in calls { try await call.value }
        #expect(server.requestedPages == [1, 2])
        #expect(list.items == Array(1...6))
        #expect(!list.isLoadingNext)
    }

    @Test(arguments: ["</rows?page=2>; rel=next", "</rows?page=1>; rel=next", "<>; rel=next"])
    func `Links in a circle end the list`(_ link: String) async throws {
        let server = PagedServer(1...9)
        server.link = { $0 == 1 ? "</rows?page=2>; rel=next" : link }
        let list = server.list()
        for _ in 0..<5 { try await list.loadNext() }
        #expect(list.pageNumbers == [1, 2])
        #expect(!list.hasNext)
        #expect(server.requestedPages == [1, 2])
    }

    @Test func `Links to other origins are followed only if they are allowed`() async throws {
        let server = PagedServer(1...9)
        server.link = { _ in "<https://other.test/rows?page=2>; rel=next" }
        let list = server.list()
        try await list.loadNext()
        #expect(!list.hasNext)
        for (url, isAllowed) in [
            ("https://other.test:443/x", true), ("http://other.test", false), ("https://o.test", false),
        ] {
            let allowing = PagedResource(
                withoutIdentity: server.first, items: { PagedServer.rows(in: $0) }, next: .link,
                alsoAt: [try #require(URL(string: url))])
            #expect(allowing.hasNext == isAllowed, "\(url)")
        }
    }

    // MARK: Identity

    @Test func `Items that have moved to the next page are in the list once`() async throws {
        let server = PagedServer(1...9)
        let list = server.list()
        try await list.loadNext()
        server.rows.insert(0, at: 0)
        try await list.loadNext()
        #expect(list.items == [1, 2, 3, 4, 5])
        let plain = PagedResource(withoutIdentity: server.first, items: { PagedServer.rows(in: $0) }, next: .link)
        try await plain.loadNext()
        #expect(plain.items == [1, 2, 3, 3, 4, 5])
    }

    @Test func `Identifiable items have their identity`() async throws {
        struct Row: Identifiable, Sendable { let id: Int }
        let server = PagedServer([1, 1, 2])
        let list = PagedResource(
            server.first, items: { PagedServer.rows(in: $0).map { Row(id: $0) } }, next: .link)
        try await list.loadNext()
        #expect(list.items.map(\.id) == [1, 2])
    }

    // MARK: Failures

    @Test func `A page that fails is named, and the other pages stay`() async throws {
        let server = PagedServer(1...9)
        let list = server.list()
        try await list.loadNext()
        server.requestsBeforeFailure = 0
        let error = await #expect(throws: RequestError.self) { try await list.loadNext() }
        #expect(error?.requestURL == server.page(2).url)
        #expect(error?.httpStatusCode == 500)
        #expect(list.error?.requestURL == server.page(2).url)
        #expect(list.items == [1, 2, 3])
        #expect(list.hasNext)
        try await list.loadNext()
        #expect(list.items == Array(1...6))
        #expect(list.error == nil)
    }

    @Test func `Content of another type is a failure`() async throws {
        let server = PagedServer(1...9)
        let list = PagedResource<Int>(withoutIdentity: server.service.resource("/rows").typed(), next: .link)
        let error = await #expect(throws: RequestError.self) { try await list.loadNext() }
        #expect(error?.code == .wrongContentType)
        #expect(list.error != nil)
        #expect(list.items.isEmpty)
    }

    @Test func `A cancelled task starts no load, and a load continues without its task`() async throws {
        let server = PagedServer(1...9)
        let list = server.list()
        server.isHeld = true
        let early = Task { try await list.loadNext() }
        early.cancel()
        await #expect(throws: RequestError.self) { try await early.value }
        #expect(server.requestedPages.isEmpty)
        let late = Task { try await list.loadNext() }
        _ = try await server.network.exchange(1)
        late.cancel()
        await #expect(throws: RequestError.self) { try await late.value }
        server.answerHeldRequests()
        try await Poll.until { !list.isLoading }
        #expect(list.items == [1, 2, 3])
    }

    // MARK: Reloads

    @Test func `A reload of all pages uses new links`() async throws {
        let server = PagedServer((1...12).map { $0 * 10 })
        let cursor = PageLink<Data>.cursor("after") { PagedServer.rows(in: $0).last.map(String.init) }
        let list = server.list(server.service.resource("/rows").typed(), next: cursor)
        for _ in 0..<3 { try await list.loadNext() }
        server.rows = [5] + server.rows.filter { $0 != 50 }
        try await list.reload()
        #expect(list.items == [5, 10, 20, 30, 40, 60, 70, 80, 90])
        #expect(list.pages.count == 3)
        server.rows = [5, 10]
        try await list.reload(.all)
        #expect(list.items == [5, 10])
        #expect(!list.hasNext)
    }

    @Test func `A reload that fails keeps the other pages`() async throws {
        let server = PagedServer(1...12)
        let list = server.list()
        for _ in 0..<3 { try await list.loadNext() }
        server.requestsBeforeFailure = 1
        let error = await #expect(throws: RequestError.self) { try await list.reload() }
        #expect(error?.requestURL == server.page(2).url)
        #expect(list.error?.requestURL == server.page(2).url)
        #expect(list.items == Array(1...9))
    }

    @Test func `The new first page is merged`() async throws {
        let server = PagedServer(1...12)
        let list = server.list()
        for _ in 0..<3 { try await list.loadNext() }
        server.rows = [-1, 1, 3] + Array(4...12)
        try await list.reload(.firstThenMerge)
        #expect(list.items == [-1, 1, 3, 4, 5, 6, 7, 8, 9])
        server.rows = [-2, -1] + server.rows.dropFirst()
        try await list.reload(.firstThenMerge)
        #expect(list.items == [-2, -1, 1, 3, 4, 5, 6, 7, 8, 9])
        server.rows = [-2, 3, 6] + Array(7...12)
        try await list.reload(.firstThenMerge)
        #expect(list.items == [-2, 3, 6, 7, 8, 9])
        #expect(!list.pages.dropFirst().contains { !$0.isStale })
        server.rows = Array(20...40)
        try await list.reload(.firstThenMerge)
        #expect(list.items == [20, 21, 22])
        #expect(list.pages.count == 1)
        #expect(list.hasNext)
        try await list.loadNext()
        #expect(list.items == Array(20...25))
    }

    @Test func `An item that moves to the beginning removes no other item`() async throws {
        let server = PagedServer(1...9)
        let list = server.list()
        for _ in 0..<3 { try await list.loadNext() }
        server.rows = [8] + server.rows.filter { $0 != 8 }
        try await list.reload(.firstThenMerge)
        #expect(list.items == [8, 1, 2, 3, 4, 5, 6, 7, 9])
    }

    @Test func `A reload of the visible pages loads only them`() async throws {
        let server = PagedServer(1...12)
        let list = server.list()
        for _ in 0..<4 { try await list.loadNext() }
        list.visibleItems = 4..<7
        server.rows = server.rows.map { $0 == 5 || $0 == 11 ? -$0 : $0 }
        try await list.reload(.visible)
        #expect(server.requestedPages == [1, 2, 3, 4, 2, 3])
        #expect(list.items == [1, 2, 3, 4, -5, 6, 7, 8, 9, 10, 11, 12])
        #expect(list.pages.map(\.isStale) == [true, false, false, true])
    }

    @Test func `A changed first page makes the others stale, whoever loads it`() async throws {
        let server = PagedServer(1...9)
        let list = server.list()
        for _ in 0..<3 { try await list.loadNext() }
        try await server.first.get(.always)
        #expect(!list.pages.contains { !$0.isUpToDate })
        server.rows.insert(0, at: 0)
        try await server.first.get(.always)
        #expect(list.pages.map(\.isStale) == [false, true, true])
        list.loadIfNeeded()
        try await Poll.until { !list.isLoading }
        #expect(!list.pages.contains { !$0.isUpToDate })
        #expect(list.items == Array(0...8))
    }

    @Test func `A reload waits for a reload in another way, and joins one in the same way`() async throws {
        let server = PagedServer(1...9)
        let list = server.list()
        for _ in 0..<2 { try await list.loadNext() }
        // Tasks of one actor begin in the order in which they were made, so that all of them begin before a response.
        let reloads = [PageReload.all, .all, .firstThenMerge].map { way in Task { try await list.reload(way) } }
        let next = Task { try await list.loadNext() }
        for reload in reloads { try await reload.value }
        try await next.value
        #expect(server.requestedPages.filter { $0 == 1 }.count <= 3)
        #expect(list.items == Array(1...9))
    }

    // MARK: Local changes, wipes

    @Test func `A local change of a page changes the list`() async throws {
        let server = PagedServer(1...9)
        let list = server.list()
        for _ in 0..<2 { try await list.loadNext() }
        server.first.content = Data("2,3".utf8)
        #expect(list.items == [2, 3, 4, 5, 6])
        #expect(list.pages[1].isUpToDate)
        server.page(2).content = Data("4,50".utf8)
        #expect(list.items == [2, 3, 4, 50])
    }

    @Test func `A wipe of the service empties the list, and a late response changes nothing`() async throws {
        let server = PagedServer(1...9)
        let list = server.list()
        for _ in 0..<2 { try await list.loadNext() }
        server.isHeld = true
        let call = Task { try await list.loadNext() }
        let late = try await server.network.exchange(3)
        var lists: [[Int]] = []
        list.addObserver(owner: server) { list, event in
            if event.event == .newData(.wipe) { lists.append(list.items) }
        }
        server.service.wipeResources(includingCaches: true)
        #expect(list.items.isEmpty)
        #expect(list.pages.count == 1)
        #expect(list.total == nil)
        #expect(!list.isLoadingNext)
        #expect(list.hasNext)
        late.respond(with: server.answer(to: late.request))
        await #expect(throws: RequestError.self) { try await call.value }
        #expect(list.items.isEmpty)
        #expect(!lists.isEmpty)
        #expect(!lists.contains { !$0.isEmpty })
        server.isHeld = false
        try await list.loadNext()
        #expect(list.items == [1, 2, 3])
    }

    @Test func `A wipe of one page ends the list before it`() async throws {
        let server = PagedServer(1...9)
        let list = server.list()
        for _ in 0..<3 { try await list.loadNext() }
        server.page(2).wipe()
        #expect(list.items == [1, 2, 3])
        #expect(list.hasNext)
    }

    // MARK: Confirmations

    @Test func `A 304 with another Link changes the next page and the total`() async throws {
        let server = PagedServer(1...6)
        let list = server.list()
        for _ in 0..<2 { try await list.loadNext() }
        #expect(!list.hasNext)
        #expect(list.total == 6)
        server.rows.append(7)
        try await server.page(2).get(.always)
        #expect(server.page(2).resource.snapshot.source == .revalidated)
        #expect(list.hasNext)
        #expect(list.total == 7)
        server.isTerse = true
        try await server.page(2).get(.always)
        #expect(list.hasNext)
        #expect(list.total == 7)
    }

    // MARK: Observing

    @Test func `Observation reports the properties that change`() async throws {
        let server = PagedServer(1...9)
        let list = server.list()
        let changes = Changes()
        withObservationTracking {
            _ = list.items
        } onChange: {
            changes.add("items")
        }
        withObservationTracking {
            _ = list.hasPrevious
        } onChange: {
            changes.add("hasPrevious")
        }
        withObservationTracking {
            _ = list.isLoadingNext
        } onChange: {
            changes.add("isLoadingNext")
        }
        withObservationTracking {
            _ = list.total
        } onChange: {
            changes.add("total")
        }
        withObservationTracking {
            _ = list.error
        } onChange: {
            changes.add("error")
        }
        try await list.loadNext()
        #expect(changes.names == ["isLoadingNext", "items", "total"])
        withObservationTracking {
            _ = list.items
        } onChange: {
            changes.add("items")
        }
        withObservationTracking {
            _ = list.hasNext
        } onChange: {
            changes.add("hasNext")
        }
        withObservationTracking {
            _ = list.pages
        } onChange: {
            changes.add("pages")
        }
        try await server.first.get(.always)
        #expect(changes.names.count == 3)
        try await list.loadNext()
        #expect(changes.names.dropFirst(3) == ["items", "pages"])
    }

    @Test func `Observers receive events until their owner is released`() async throws {
        let server = PagedServer(1...9)
        let list = server.list()
        var owner: NSObject? = NSObject()
        var events: [String] = []
        if let owner {
            list.addObserver(owner: owner) { list, event in events.append("\(event.event) \(list.items.count)") }
        }
        try await list.loadNext()
        #expect(events == ["observerAdded 0", "requested 0", "newData(network) 3"])
        owner = nil
        try await list.loadNext()
        #expect(events.count == 3)
        let other = NSObject()
        list.addObserver(owner: other) { _, _ in events.append("other") }
        list.removeObservers(ownedBy: other)
        try await list.loadNext()
        #expect(events.count == 4)
    }

    @Test func `A loop receives the state now and the newest state after changes`() async throws {
        let server = PagedServer(1...9)
        let list = server.list()
        var states = list.states.makeAsyncIterator()
        #expect(try await states.next()?.items == [])
        for _ in 0..<2 { try await list.loadNext() }
        var last = try await states.next()
        while let state = last, state.items.count != 6 { last = try await states.next() }
        #expect(last?.hasNext == true)
        #expect(last?.isLoading == false)
    }

    @Test func `A closure that loads, reloads and wipes does no harm`() async throws {
        let server = PagedServer(1...30)
        let list = server.list()
        var count = 0
        list.addObserver(owner: server) { list, event in
            count += 1
            guard count < 40 else { return }
            Task { try? await list.loadNext() }
            if count % 7 == 0 { Task { try? await list.reload(.firstThenMerge) } }
            if count == 20 { server.service.wipeResources() }
        }
        try? await list.loadNext()
        for _ in 0..<200 { await mainQueueTurn() }
        try await Poll.until { !list.isLoading }
        #expect(list.items == server.rows(from: 1, pages: list.pages.count))
    }

    @Test func `A released list is gone, and ends its observations`() async throws {
        let server = PagedServer(1...9)
        weak var weakList: PagedResource<Int>?
        do {
            let list = server.list()
            try await list.loadNext()
            weakList = list
            #expect(!server.first.resource.isObserved)
            list.addObserver(owner: server) { _, _ in }
            #expect(server.first.resource.isObserved)
        }
        #expect(weakList == nil)
        #expect(!server.first.resource.isObserved)
    }
}

/// The names of changed properties, in order.
private final class Changes: @unchecked Sendable {  // All changes are on the main actor.
    private(set) var names: [String] = []

    func add(_ name: String) { names.append(name) }
}
