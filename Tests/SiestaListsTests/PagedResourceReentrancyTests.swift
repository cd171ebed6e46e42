import Foundation
import Observation
import SiestaCore
import SiestaLists
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

/// Code of the app that uses a list while the list calls it or releases its objects.
@MainActor @Suite(.timeLimit(.test))
struct PagedResourceReentrancyTests {
    /// Gives code of the app access to the list that calls it.
    private final class Access<Item: Sendable>: Sendable {
        @MainActor weak var list: PagedResource<Item>?
        @MainActor var uses = 0
        /// Changes the list; nil if the code only reads.
        @MainActor var change: ((PagedResource<Item>) -> Void)?

        @MainActor init() {}

        /// Uses the list in all ways that are possible without waiting.
        nonisolated func use() {
            MainActor.assumeIsolated {
                guard let list else { return }
                uses += 1
                _ = (list.items.count, list.pages.count, list.resources.count, list.snapshot, list.hasNext)
                exchange(&change, with: nil)?(list)
            }
        }
    }

    /// An identity whose hash and comparison use the list.
    private struct ID: Hashable {
        let number: Int
        let access: Access<Int>

        static func == (left: ID, right: ID) -> Bool {
            left.access.use()
            return left.number == right.number
        }

        func hash(into hasher: inout Hasher) {
            access.use()
            hasher.combine(number % 2)
        }
    }

    /// An item whose release uses the list.
    private final class Item: Sendable {
        let number: Int
        let access: Access<Item>

        init(_ number: Int, _ access: Access<Item>) {
            (self.number, self.access) = (number, access)
        }

        deinit { access.use() }
    }

    private let server = PagedServer(1...9)

    /// Grows a list, loads it again after changes on the server, and wipes it.
    private func exercise<Item>(_ list: PagedResource<Item>) async throws {
        for _ in 0..<3 { try await list.loadNext() }
        #expect(list.items.count == 9)
        server.rows = [0, 2, 3] + (5...20)
        try await list.reload(.firstThenMerge)
        try await list.reload(.all)
        #expect(list.items.count == 9)
        try await list.loadNext()
        #expect(list.items.count == 12)
        server.rows = Array(100...110)
        list.pages[1].overrideLocalContent(with: Data("7,8".utf8))
        try await list.reload(.firstThenMerge)
        #expect(list.items.count == 3)
        server.service.wipeResources()
        #expect(list.items.isEmpty)
    }

    @Test func `An observer that is told of a wipe before the list sees no wiped items`() async throws {
        let server = PagedServer(1...6)
        let before = server.service.resource("/before")
        let list = server.list()
        try await list.loadNext()
        var counts: [Int] = []
        for other in [before, server.service.resource("/after")] {
            other.addObserver(owner: server) { _, event in
                if event == .newData(.wipe) { counts.append(list.items.count + list.snapshot.items.count) }
            }
        }
        server.service.wipeResources()
        #expect(counts == [0, 0])
    }

    @Test func `The closure of the identities uses the list`() async throws {
        let access = Access<Int>()
        let list = PagedResource(
            server.first, items: { PagedServer.rows(in: $0) },
            id: { item in
                access.use()
                return item
            }, next: .link)
        access.list = list
        try await exercise(list)
        #expect(access.uses > 0)
    }

    @Test func `The hash and the comparison of identities use the list`() async throws {
        let access = Access<Int>()
        let list = PagedResource(
            server.first, items: { PagedServer.rows(in: $0) }, id: { ID(number: $0, access: access) }, next: .link)
        access.list = list
        try await exercise(list)
        #expect(access.uses > 0)
    }

    @Test func `The release of items uses the list`() async throws {
        let access = Access<Item>()
        let list = PagedResource(
            server.first, items: { PagedServer.rows(in: $0).map { Item($0, access) } }, id: \.number, next: .link,
            maxPages: 4)
        access.list = list
        try await exercise(list)
        #expect(access.uses > 0)
    }

    /// Changes that code of the app makes in the middle of a change of the list.
    private nonisolated static let changes: [@MainActor @Sendable (PagedServer, PagedResource<Int>) -> Void] = [
        { server, _ in server.service.wipeResources() },
        { server, _ in server.service.wipeResources(includingCaches: true) },
        { _, list in list.pages[0].overrideLocalContent(with: Data("50,51".utf8)) },
        { _, list in list.pages[list.pages.count - 1].overrideLocalContent(with: Data()) },
        { _, list in list.pages[list.pages.count - 1].wipe() },
        { _, list in list.beginLoadingNext() }, { _, list in list.beginLoadingPrevious() },
        { _, list in list.loadIfNeeded() }, { _, list in list.maxPages = 1 },
    ]

    /// The moment of a change.
    enum Moment: CaseIterable { case items, id, hash, link, observation }

    /// Checks that a list shows what its pages contain, and what the server sends afterwards.
    private func check(_ list: PagedResource<Int>, _ change: Int, _ moment: Moment) async throws {
        let contents = list.pages.compactMap { page in
            (page.latestData?.content as? Data).map { PagedServer.rows(in: $0) }
        }
        #expect(Set(list.items) == Set(contents.joined()), "\(change) \(moment)")
        #expect(list.pages.count == contents.count || list.items.isEmpty, "\(change) \(moment)")
        list.maxPages = nil
        try await list.reload(.all)
        while list.hasNext { try await list.loadNext() }
        while list.hasPrevious { try await list.loadPrevious() }
        #expect(list.items == server.rows, "\(change) \(moment)")
    }

    @Test(arguments: changes.indices, Moment.allCases)
    func `A change in the middle of a change`(_ change: Int, _ moment: Moment) async throws {
        for pages in 0..<3 {
            let access = Access<Int>()
            let list = PagedResource(
                server.first,
                items: { page in
                    if moment == .items { access.use() }
                    return PagedServer.rows(in: page)
                },
                id: { item in
                    if moment == .id { access.use() }
                    return ID(number: item, access: moment == .hash ? access : Access())
                },
                next: PageLink.url { page in
                    if moment == .link { access.use() }
                    let last = PagedServer.rows(in: page).last
                    return last.flatMap { $0 < 9 ? "/rows?page=\($0 / 3 + 1)" : nil }
                })
            for _ in 0..<pages { try await list.loadNext() }
            access.list = list
            access.change = { [server] in Self.changes[change](server, $0) }
            if moment == .observation {
                withObservationTracking {
                    _ = list.items
                } onChange: {
                    access.use()
                }
            }
            try? await list.loadNext()
            await mainQueueTurn()
            access.change = nil
            try await check(list, change, moment)
            server.service.wipeResources()
        }
    }

    @Test func `After a wipe that an announcement causes, the list is empty`() async throws {
        let list = server.list()
        try await list.loadNext()
        withObservationTracking {
            _ = list.items
        } onChange: { [server] in
            MainActor.assumeIsolated { server.service.wipeResources() }
        }
        list.pages[0].overrideLocalContent(with: Data("50,51".utf8))
        #expect(!list.pages[0].state.hasData)
        #expect(list.items.isEmpty)
    }

    @Test func `An observer that was removed is not called, although its owner has added another one`() async throws {
        let (list, owner) = (server.list(), Owner())
        var calls: [String] = []
        list.addObserver(owner: owner) { list, event in
            guard event.event != .observerAdded else { return }
            list.removeObservers(ownedBy: owner)
            list.addObserver(owner: owner) { _, event in calls.append("new \(event.event)") }
        }
        list.addObserver(owner: owner) { _, _ in calls.append("old") }
        calls = []
        list.pages[0].overrideLocalContent(with: Data("1".utf8))
        #expect(calls == ["new \(ResourceEvent.observerAdded)"])
        list.pages[0].overrideLocalContent(with: Data("2".utf8))
        #expect(calls.count == 2)
    }

    @Test func `A cancelled task does not wait for a reload, which continues`() async throws {
        let list = server.list()
        try await list.loadNext()
        (server.isHeld, server.rows) = (true, [7])
        let failures = EventLog()
        func start(_ call: @escaping @MainActor () async throws -> Void) -> Task<Void, Never> {
            Task { do { try await call() } catch { failures.add("\(type(of: error))") } }
        }
        let tasks = [start { try await list.reload() }, start { try await list.loadNext() }]
        _ = try await server.network.exchange(2)
        for task in tasks { task.cancel() }
        try await Poll.until { failures.lines == ["RequestError", "RequestError"] }
        await #expect(throws: RequestError.self) {
            try await Task { try await cancelled { try await list.reload() } }.value
        }
        server.answerHeldRequests()
        try await list.reload()
        #expect(list.items == [7])
        #expect(server.network.requests.count == 2)
    }

    /// Runs `body` in a task that is cancelled already.
    private func cancelled(_ body: () async throws -> Void) async throws {
        withUnsafeCurrentTask { $0?.cancel() }
        try await body()
    }

    @Test func `Each observer is told of the events in their order`() async throws {
        let (list, first, second) = (server.list(), Owner(), Owner())
        try await list.loadNext()
        list.addObserver(owner: first) { list, event in
            if event.event == .newData(.localOverride) { list.beginLoadingNext() }
        }
        var events: [String] = []
        list.addObserver(owner: second) { _, event in events.append("\(event.event)") }
        events = []
        list.pages[0].overrideLocalContent(with: Data("1,2,3".utf8))
        #expect(events == ["newData(localOverride)", "requested"])
    }
}
