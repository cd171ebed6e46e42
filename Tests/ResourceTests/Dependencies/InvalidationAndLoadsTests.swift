import CacheTorture
import Foundation

import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaCaches
@testable import SiestaCore
@testable import SiestaNetworking

/// Invalidations while loads are in flight, their number, and caches.
@MainActor @Suite(.timeLimit(.test))
struct InvalidationAndLoadsTests {
    private let bench = DependentService()
    private var service: Service { bench.service }
    private var users: Resource { bench.users }

    // MARK: Loads in flight

    @Test(arguments: [StubAnswer.text("old"), .response(404)])
    func `A load that began before the invalidation does not end it`(answer: StubAnswer) async throws {
        bench.network.answer(.get, "/users", with: .held)
        let load = users.load()
        service.invalidate(tagged: "users")
        bench.network.exchanges[0].respond(with: answer)
        await load.completion()
        #expect(users.latestData != nil || users.latestError != nil)
        #expect(users.isStale)
        bench.network.answer(.get, "/users", with: .text("new"))
        await users.loadIfNeeded()?.completion()
        #expect(users.text == "new")
        #expect(users.isUpToDate)
    }

    @Test(arguments: [true, false])
    func `A load that waits for a cache begins after the invalidation, and ends it`(isObserved: Bool) async throws {
        let cache = InMemoryCache()
        service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
        cache.entities["https://api.test/users"] = Entity<Any>(
            content: Data("x".utf8), headers: ["Content-Type": "text/plain"], timestamp: bench.clock.wallTime)
        let release = cache.holdReads()
        if isObserved { users.addObserver(bench.recorder) }
        let load = try #require(users.loadIfNeeded())
        service.invalidate(tagged: "users")
        #expect(users.loadIfNeeded() === load)
        release()
        await load.completion()
        await bench.settle()
        #expect(users.text == "users")
        #expect(users.isUpToDate)
        #expect(bench.loads(of: "/users") == 1)
    }

    @Test func `A load that waits for a cache does not replace a reload if newer data has arrived`() async throws {
        let cache = InMemoryCache()
        service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
        let release = cache.holdReads()
        users.addObserver(bench.recorder)
        let waiting = try #require(users.loadIfNeeded())
        await bench.load(users)
        service.invalidate(tagged: "users")
        release()
        await waiting.completion()
        await bench.settle()
        #expect(users.isUpToDate)
    }

    @Test func `If freshness follows HTTP, a 304 to a load that began before the invalidation renews no cache`()
        async throws
    {
        let cache = InMemoryCache()
        service.configure {
            $0.freshness = .http
            $0.pipeline[.rawData].cacheUsing(cache)
        }
        let headers = ["ETag": "\"1\"", "Cache-Control": "max-age=9"]
        bench.network.answer(.get, "/users", with: .text("old", headers: headers), .held)
        await bench.load(users)
        bench.clock.advance(by: 8)
        let load = users.load()
        service.invalidate(tagged: "users")
        bench.network.exchanges[1].respond(with: .response(304, headers: headers))
        await load.completion()
        while !service.unfinishedWork(includingTimers: false).isEmpty { await mainQueueTurn() }
        #expect(!cache.operations.contains(.updateTimestamp(users.url.absoluteString)))
    }

    @Test func `A 304 to a load that began before the invalidation does not end it`() async throws {
        bench.network.answer(.get, "/users", with: .text("old", headers: ["ETag": "\"1\""]), .held)
        await bench.load(users)
        let load = users.load()
        service.invalidate(tagged: "users")
        bench.network.exchanges[1].respond(with: .response(304))
        #expect(await load.completion().isNew == false)
        #expect(users.isStale)
    }

    @Test func `If freshness follows HTTP, the response to a load that began after the invalidation is stored`()
        async throws
    {
        let cache = InMemoryCache()
        service.configure {
            $0.freshness = .http
            $0.pipeline[.rawData].cacheUsing(cache)
        }
        func answer(_ text: String) {
            bench.network.answer(.get, "/users", with: .text(text, headers: ["Cache-Control": "max-age=9"]))
        }
        func isStored(_ text: String) -> Bool {
            cache.entities.values.contains { $0.content as? Data == Data(text.utf8) }
        }
        answer("old")
        await bench.load(users)
        try await Poll.until { isStored("old") }
        service.invalidate(tagged: "users")
        answer("new")
        await bench.load(users)
        #expect(users.text == "new")
        try await Poll.until { isStored("new") }
    }

    @Test func `As in 1.5, a load in flight ends an invalidation by invalidate()`() async throws {
        bench.network.answer(.get, "/users", with: .held)
        let load = users.load()
        users.invalidate()
        bench.network.exchanges[0].respond(with: .text("new"))
        await load.completion()
        #expect(users.isUpToDate)
    }

    @Test func `If an old load is in flight, an observed resource begins another one, which counts`() async throws {
        users.addObserver(bench.recorder)
        bench.network.answer(.get, "/users", with: .held)
        let old = users.load()
        service.invalidate(tagged: "users")
        #expect(bench.network.requests.count == 2)
        bench.network.exchanges[0].respond(with: .text("old"))
        await old.completion()
        #expect(users.text == "old")
        #expect(users.isStale)
        bench.network.exchanges[1].respond(with: .text("new"))
        await bench.settle()
        #expect(users.text == "new")
        #expect(users.isUpToDate)
        #expect(bench.network.requests.count == 2)
    }

    @Test func `All invalidations of one turn cause one load`() async {
        await bench.load(users)
        users.addObserver(bench.recorder)
        for _ in 0..<10 {
            service.invalidate(tagged: "users")
            service.invalidate(matching: "/users")
        }
        await bench.settle()
        #expect(bench.loads(of: "/users") == 2)
        #expect(users.isUpToDate)
    }

    @Test func `Invalidations while such a load is in flight cause one further load`() async throws {
        await bench.load(users)
        users.addObserver(bench.recorder)
        bench.network.answer(.get, "/users", with: .held)
        for _ in 0..<10 {
            service.invalidate(tagged: "users")
            await bench.settle()
        }
        #expect(bench.network.requests.count == 2)
        bench.network.exchanges[1].respond(with: .text("1"))
        await bench.settle()
        #expect(bench.network.requests.count == 3)
        #expect(users.text == "1")
        #expect(users.isStale)
        bench.network.exchanges[2].respond(with: .text("2"))
        await bench.settle()
        #expect(users.text == "2")
        #expect(users.isUpToDate)
        #expect(bench.network.requests.count == 3)
    }

    @Test func `Several writes at once cause one load each at most, and the last counts`() async {
        await bench.load(users)
        users.addObserver(bench.recorder)
        let writes = (0..<20).map { _ in users.request(.post) }
        for write in writes { await write.completion() }
        await bench.settle()
        #expect((2...4).contains(bench.loads(of: "/users")))
        #expect(users.isUpToDate)
    }

    @Test func `An observer that invalidates its own resource ends`() async {
        await bench.load(users)
        let owner = NSObject()
        users.addObserver(owner: owner) { [service] _, event in
            if event != .observerAdded { service.invalidate(tagged: "users") }
        }
        service.invalidate(tagged: "users")
        for _ in 0..<10 { await bench.settle() }
        #expect((2...20).contains(bench.loads(of: "/users")))
        let count = bench.loads(of: "/users")
        for _ in 0..<10 { await bench.settle() }
        #expect(bench.loads(of: "/users") == count)
        #expect(!users.isLoading)
    }

    @Test func `Two observers that invalidate each other's resource end`() async {
        service.configure("/teams") { $0.tags = ["teams"] }
        await bench.load(users, bench.teams)
        let owner = NSObject()
        users.addObserver(owner: owner) { [service] _, event in
            if case .newData = event { service.invalidate(tagged: "teams") }
        }
        bench.teams.addObserver(owner: owner) { [service] _, event in
            if case .newData = event { service.invalidate(tagged: "users") }
        }
        service.invalidate(tagged: "users")
        for _ in 0..<10 { await bench.settle() }
        let count = bench.network.requests.count
        for _ in 0..<10 { await bench.settle() }
        #expect(bench.network.requests.count == count)
        #expect((4...12).contains(count))
        // Later invalidations load again.
        withExtendedLifetime(owner) { users.removeObservers(ownedBy: owner) }
        users.addObserver(bench.recorder)
        service.invalidate(tagged: "users")
        #expect(users.isLoading)
    }

    @Test func `If the last observer has gone, no further load follows`() async throws {
        await bench.load(users)
        users.addObserver(bench.recorder)
        bench.network.answer(.get, "/users", with: .held)
        service.invalidate(tagged: "users")
        await bench.settle()
        service.invalidate(tagged: "users")
        users.removeObservers(ownedBy: bench.recorder)
        try await bench.network.exchange(2).respond(with: .text("1"))
        try await Poll.until { users.text == "1" }
        await bench.settle()
        #expect(bench.network.requests.count == 2)
        #expect(users.isStale)
        #expect(!users.isLoading)
    }

    @Test func `A resource without data, error and load does not change`() {
        let resource = service.resource("/users/7")
        service.invalidate(tagged: "users")
        #expect(!resource.state.isInvalidated)
    }

    @Test func `A wipe ends the invalidation and its following load`() async {
        await bench.load(users)
        users.addObserver(bench.recorder)
        bench.network.answer(.get, "/users", with: .held)
        service.invalidate(tagged: "users")
        await bench.settle()
        service.invalidate(tagged: "users")
        users.wipe()
        await bench.settle()
        #expect(!users.isLoading)
        #expect(users.latestData == nil)
        #expect(bench.network.requests.count == 2)
    }

    @Test func `If an observer wipes the resource, no further load follows`() async {
        await bench.load(users)
        let owner = NSObject()
        users.addObserver(owner: owner) { resource, event in
            if event == .newData(.network) { resource.wipe() }
        }
        bench.network.answer(.get, "/users", with: .held)
        service.invalidate(tagged: "users")
        await bench.settle()
        service.invalidate(tagged: "users")
        bench.network.exchanges[1].respond(with: .text("x"))
        await bench.settle()
        #expect(bench.network.requests.count == 2)
        withExtendedLifetime(owner) {}
    }

    @Test func `A state sequence and Observation see the invalidation`() async {
        await bench.load(users)
        let iterator = ResourceStates(resource: users).makeAsyncIterator()
        #expect(await iterator.next()?.isStale == false)
        service.invalidate(tagged: "users")
        #expect(await iterator.next()?.isStale == true)
    }

    @Test func `Of very many resources, those with the tag become stale`() async {
        service.cachedResourceCountLimit = 200_000
        let count = TestLevel.count(10_000, nightly: 100_000)
        let resources = (0..<count).map { service.resource($0.isMultiple(of: 1000) ? "/users/\($0)" : "/x/\($0)") }
        let entity = Entity<Any>(content: "x", contentType: "text/plain")
        for (number, resource) in resources.enumerated() {
            if number % 1000 == 0 { await Task.yield() }  // Other tests need the main actor, too.
            resource.overrideLocalData(with: entity)
        }
        service.invalidate(tagged: "users")
        #expect(resources.map(\.isStale).count { $0 } == count / 1000)
    }

    // MARK: Caches

    @Test(arguments: ["/users", "/users?page=2"])
    func `A resource that is created later takes older data from a cache as stale`(path: String) async {
        let cache = InMemoryCache()
        service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
        let url = "https://api.test" + path
        func stored(age: TimeInterval) -> Entity<Any> {
            Entity<Any>(
                content: Data("x".utf8), headers: ["Content-Type": "text/plain"], timestamp: bench.clock.wallTime - age)
        }
        cache.entities[url] = stored(age: 1)
        service.invalidate(tagged: "users")
        bench.clock.advance(by: 2)
        let resource = service.resource(absoluteURL: url)
        _ = resource.latestData
        await resource.cacheIsRead()
        #expect(resource.latestData != nil)
        #expect(resource.isStale)
        service.flushUnusedResources()
        cache.entities[url] = stored(age: 1)
        let newer = service.resource(absoluteURL: url)
        newer.wipe()
        _ = newer.latestData
        await newer.cacheIsRead()
        #expect(newer.latestData != nil)
        #expect(newer.isUpToDate)
    }

    @Test func `Data that an old load has stored is stale when it is read again`() async throws {
        let cache = PersistentCache(MemoryRecordStore())
        service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
        bench.network.answer(.get, "/users", with: .held)
        let load = users.load()
        service.invalidate(tagged: "users")
        bench.clock.advance(by: 1)
        bench.network.exchanges[0].respond(with: .text("old"))
        await load.completion()
        try await cache.storage.flush()
        users.wipe()
        _ = users.latestData
        await users.cacheIsRead()
        #expect(users.text == "old")
        #expect(users.isStale)
    }

    @Test func `A read of the cache in progress does not end the invalidation`() async {
        let cache = InMemoryCache()
        service.configure { $0.pipeline[.rawData].cacheUsing(cache) }
        cache.entities["https://api.test/users"] = Entity<Any>(
            content: Data("x".utf8), headers: ["Content-Type": "text/plain"], timestamp: bench.clock.wallTime)
        let release = cache.holdReads()
        _ = users.latestData
        service.invalidate(tagged: "users")
        release()
        await users.cacheIsRead()
        #expect(users.text == "x")
        #expect(users.isStale)
    }
}
