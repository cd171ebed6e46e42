import Foundation
import SiestaCore
import SiestaLists
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// A list counts as an observer of its pages as long as it has observers or iterations.
@MainActor @Suite(.timeLimit(.test))
struct PagePresenceTests {
    private let server = PagedServer(1...12)
    private let activity = AppActivity()
    private let owner = NSObject()

    init() {
        server.service.appActivity = activity
    }

    private func list(pages: Int, maxPages: Int? = nil) async throws -> PagedResource<Int> {
        let list = server.list(maxPages: maxPages)
        for _ in 0..<pages { try await list.loadNext() }
        return list
    }

    /// The numbers of the first 4 pages that are observed.
    private var observedPages: [Int] { (1...4).filter { server.page($0).resource.isObserved } }

    private var requestCount: Int { server.network.requests.count }

    private func settle() async {
        for _ in 0..<10 { await mainQueueTurn() }
    }

    private func pass(_ seconds: Int) async {
        for _ in 0..<seconds * 4 {
            server.clock.advance(by: 0.25)
            await settle()
        }
    }

    /// Tells the observers of a page of an event.
    private func tell(_ number: Int) { server.page(number).content = Data("\(number)".utf8) }

    private func returnToForeground() async {
        server.clock.advance(by: 10)
        activity.isActive = false
        activity.isActive = true
        await settle()
    }

    // MARK: What is done for an observed list

    @Test func `Pages are polled as long as the list has observers`() async throws {
        let list = try await list(pages: 2)
        server.page(2).poll(every: 10, owner: owner)
        await pass(25)
        #expect(requestCount == 2)
        list.addObserver(owner: owner) { _, _ in }
        await pass(25)
        #expect((3...5).contains(requestCount))
        #expect(server.requestedPages.dropFirst(2).allSatisfy { $0 == 2 })
        list.removeObservers(ownedBy: owner)
        let count = requestCount
        await pass(25)
        #expect(requestCount == count)
        server.page(2).stopPolling(owner: owner)
    }

    @Test func `A list stops being an observer of its pages soon after the release of its last owner`() async throws {
        let list = try await list(pages: 2)
        do {
            let owner = NSObject()
            list.addObserver(owner: owner) { _, _ in }
        }
        #expect(observedPages == [1, 2])
        await pass(2)
        #expect(observedPages == [])
        #expect(list.items.count == 6)
    }

    @Test func `Stale pages are loaded at triggers as long as the list has observers`() async throws {
        server.service.configure {
            $0.reload = [.foreground]
            $0.expirationTime = 1
        }
        let list = try await list(pages: 2)
        await returnToForeground()
        #expect(requestCount == 2)
        list.addObserver(owner: owner) { _, _ in }
        #expect(requestCount == 2)
        await returnToForeground()
        #expect(server.requestedPages.dropFirst(2).sorted() == [1, 2])
        list.removeObservers(ownedBy: owner)
        await returnToForeground()
        #expect(requestCount == 4)
    }

    @Test func `The first observer of a list is a new observer of all its pages, the second is none`() async throws {
        server.service.configure {
            $0.reload = [.observed]
            $0.expirationTime = 1
        }
        let list = try await list(pages: 2)
        server.clock.advance(by: 10)
        #expect(requestCount == 2)
        list.addObserver(owner: owner) { _, _ in }
        await settle()
        #expect(server.requestedPages.dropFirst(2).sorted() == [1, 2])
        server.clock.advance(by: 10)
        list.addObserver(owner: owner) { _, _ in }
        await settle()
        #expect(requestCount == 4)
    }

    @Test func `An invalidation loads the pages of an observed list only`() async throws {
        server.service.configure("/rows") { $0.tags = ["rows"] }
        let list = try await list(pages: 2)
        server.service.invalidate(tagged: "rows")
        await settle()
        #expect(requestCount == 2)
        #expect(list.pages.allSatisfy { $0.isStale })
        list.addObserver(owner: owner) { _, _ in }
        server.service.invalidate(tagged: "rows")
        await settle()
        #expect(server.requestedPages.dropFirst(2).sorted() == [1, 2])
        #expect(list.pages.allSatisfy { $0.isUpToDate })
        #expect(list.items == Array(1...6))
    }

    @Test func `Only the loads of an unobserved list can be cancelled`() async throws {
        let list = try await list(pages: 1)
        list.addObserver(owner: owner) { _, _ in }
        server.isHeld = true
        list.beginLoadingNext()
        server.page(2).resource.cancelLoadIfUnobserved()
        #expect(list.isLoadingNext)
        #expect(list.isLoading)
        list.removeObservers(ownedBy: owner)
        server.page(2).resource.cancelLoadIfUnobserved()
        #expect(!list.isLoadingNext)
        #expect(!list.isLoading)
        #expect(list.error == nil)
        #expect(list.items == [1, 2, 3])
        #expect(list.hasNext)
    }

    // MARK: The end of observations

    @Test func `The release of the owner is detected at the next event of a page`() async throws {
        let list = try await list(pages: 2)
        var events = 0
        do {
            let owner = NSObject()
            list.addObserver(owner: owner) { _, _ in events += 1 }
        }
        #expect(observedPages == [1, 2])
        #expect(events == 1)
        tell(2)
        #expect(observedPages.isEmpty)
        #expect(events == 1)
        list.addObserver(owner: owner) { _, _ in events += 1 }
        #expect(observedPages == [1, 2])
        withExtendedLifetime(list) {}
    }

    @Test func `A loop over the states counts until it ends`() async throws {
        let list = try await list(pages: 2)
        list.addObserver(owner: owner) { _, _ in }
        do {
            var states = list.states.makeAsyncIterator()
            #expect(try await states.next() != nil)
            list.removeObservers(ownedBy: owner)
            #expect(observedPages == [1, 2])
        }
        await settle()
        #expect(observedPages.isEmpty)
        let loop = Task { for await _ in list.states {} }
        await settle()
        #expect(observedPages == [1, 2])
        loop.cancel()
        await loop.value
        await settle()
        #expect(observedPages.isEmpty)
    }

    // MARK: Pages that come and go

    @Test func `New pages are observed, and dropped pages are not`() async throws {
        let list = try await list(pages: 1, maxPages: 2)
        var events = 0
        list.addObserver(owner: owner) { _, _ in events += 1 }
        try await list.loadNext()
        #expect(observedPages == [1, 2])
        try await list.loadNext()
        #expect(observedPages == [2, 3])
        #expect(list.pageNumbers == [2, 3])
        events = 0
        tell(1)
        #expect(events == 0)
        #expect(list.items == Array(4...9))
        list.removeObservers(ownedBy: owner)
        #expect(observedPages.isEmpty)
    }

    @Test func `The service drops the pages that a list has dropped, and they come back`() async throws {
        let list = try await list(pages: 3, maxPages: 1)
        list.addObserver(owner: owner) { _, _ in }
        weak let dropped: Resource? = server.page(2).resource
        #expect(dropped?.isObserved == false)
        try await list.loadNext()
        server.service.flushUnusedResources()
        #expect(dropped == nil)
        #expect(list.items == [10, 11, 12])
        #expect(list.hasPrevious)
        try await list.loadPrevious()
        try await list.loadPrevious()
        #expect(list.items == [4, 5, 6])
        #expect(observedPages == [2])
        #expect(server.requestedPages == [1, 2, 3, 4, 2])
    }

    @Test func `A list keeps its pages, with and without observers`() async throws {
        server.service.configure { $0.retention = 60 }
        var list: PagedResource<Int>? = try await list(pages: 2)
        let pages = [weak1(list?.pages[0]), weak1(list?.pages[1])]
        for _ in 0..<2 {
            server.clock.advance(by: 1000)
            server.service.cachedResourceCountLimit = 0
            #expect(pages.allSatisfy { $0() != nil })
            #expect(list?.items == Array(1...6))
            list?.addObserver(owner: owner) { _, _ in }
        }
        list = nil
        server.service.flushUnusedResources()
        #expect(pages.allSatisfy { $0() == nil })
    }

    private func weak1(_ resource: Resource?) -> () -> Resource? {
        { [weak resource] in resource }
    }

    @Test func `After a wipe, only the pages that are left are observed`() async throws {
        let list = try await list(pages: 3)
        list.addObserver(owner: owner) { _, _ in }
        #expect(observedPages == [1, 2, 3])
        server.page(2).wipe()
        #expect(observedPages == [1])
        #expect(list.items == [1, 2, 3])
        try await list.loadNext()
        #expect(observedPages == [1, 2])
        server.service.wipeResources()
        #expect(observedPages == [1])
        #expect(list.items.isEmpty)
        try await list.loadNext()
        try await list.loadNext()
        #expect(observedPages == [1, 2])
        list.removeObservers(ownedBy: owner)
        #expect(observedPages.isEmpty)
    }

    @Test func `After a list has started again, only its first page is observed`() async throws {
        let list = try await list(pages: 3)
        list.addObserver(owner: owner) { _, _ in }
        server.rows = Array(101...112)
        try await list.reload(.firstThenMerge)
        #expect(list.items == [101, 102, 103])
        #expect(observedPages == [1])
    }

    @Test func `Two lists of the same pages are independent`() async throws {
        let (one, other) = (try await list(pages: 2), try await list(pages: 0))
        one.addObserver(owner: owner) { _, _ in }
        other.addObserver(owner: server) { _, _ in }
        one.removeObservers(ownedBy: owner)
        #expect(observedPages == [1])
        tell(1)
        #expect(one.items == [1, 4, 5, 6])
        #expect(other.items == [1])
    }

    // MARK: Code of the app that calls back

    @Test func `An observer that removes itself while it is welcomed leaves nothing`() async throws {
        let list = try await list(pages: 2)
        list.addObserver(owner: owner) { [owner] list, _ in list.removeObservers(ownedBy: owner) }
        #expect(observedPages.isEmpty)
    }

    @Test func `An observer that removes itself, or adds another one, at each event leaves a consistent state`()
        async throws
    {
        server.service.configure {
            $0.reload = [.observed]
            $0.expirationTime = 1
        }
        let list = try await list(pages: 3)
        server.clock.advance(by: 10)
        let log = EventLog()
        list.addObserver(owner: owner) { [owner] list, event in
            log.add("first \(event.event)")
            if event.page != nil { list.removeObservers(ownedBy: owner) }
        }
        // The first page whose load began ended the observation.
        #expect(log.take() == ["first requested", "first observerAdded"])
        #expect(observedPages.isEmpty)
        await settle()
        let other = NSObject()
        list.addObserver(owner: owner) { [owner, other] list, event in
            guard event.page != nil else { return }
            list.removeObservers(ownedBy: owner)
            list.addObserver(owner: other) { _, event in log.add("second \(event.event)") }
        }
        tell(1)
        #expect(observedPages == [1, 2, 3])
        #expect(log.take() == ["second observerAdded"])
        tell(2)
        #expect(log.take() == ["second newData(localOverride)"])
        list.removeObservers(ownedBy: other)
        #expect(observedPages.isEmpty)
    }

    @Test func `An observer that is removed by an earlier observer is not told of this event`() async throws {
        let list = try await list(pages: 1)
        let (first, second, log) = (NSObject(), NSObject(), EventLog())
        list.addObserver(owner: first) { list, event in
            log.add("first")
            if event.page != nil { list.removeObservers(ownedBy: second) }
        }
        list.addObserver(owner: second) { _, _ in log.add("second") }
        _ = log.take()
        tell(1)
        #expect(log.take() == ["first"])
        withExtendedLifetime(first) {}
    }
}
