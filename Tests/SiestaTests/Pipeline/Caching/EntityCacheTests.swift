import CacheTorture
import Dispatch
import Foundation
import Isolation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

/// The default implementations of the protocol, and the cache of `SiestaTesting`.
@MainActor @Suite(.timeLimit(.test))
struct EntityCacheTests {
    /// Implements only the members that have no default.
    private final class MinimalCache: EntityCache {
        private let entities = Locked<[Int: UncheckedSendable<Entity<Any>>]>([:])

        @MainActor func key(for resource: Resource) -> Int? { resource.url.path.count }

        func readEntity(forKey key: Int) -> Entity<Any>? { entities.withLock { $0[key] }?.value }

        func writeEntity(_ entity: Entity<Any>, forKey key: Int) {
            let entity = UncheckedSendable(entity)
            entities.withLock { $0[key] = entity }
        }

        func removeEntity(forKey key: Int) { entities.withLock { $0[key] = nil } }
    }

    @Test func `The work queue is the global one of quality userInitiated unless a cache has its own`() {
        #expect(MinimalCache().workQueue.label == DispatchQueue.global(qos: .userInitiated).label)
        #expect(MinimalCache().workQueue.qos == .userInitiated)
    }

    @Test
    func `Updating a timestamp reads the entity, changes it and writes it back unless a cache does better`() throws {
        let cache = MinimalCache()
        cache.writeEntity(Entity<Any>(content: "x", headers: ["A": "b"], timestamp: 1), forKey: 5)
        cache.updateEntityTimestamp(9, forKey: 5)
        let entity = try #require(cache.readEntity(forKey: 5))
        #expect(entity.timestamp == 9)
        #expect(entity.text == "x")
        #expect(entity.headers == ["a": "b"])
    }

    @Test func `Updating the timestamp of what is not there has no effect`() {
        let cache = MinimalCache()
        cache.updateEntityTimestamp(9, forKey: 5)
        #expect(cache.readEntity(forKey: 5) == nil)
    }

    @Test func `A cache with the least of code and any type of key works`() async {
        let clock = TestClock()
        let cache = MinimalCache()
        cache.writeEntity(Entity<Any>(content: "cached", headers: [:], timestamp: clock.wallTime), forKey: 2)
        let service = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: StubNetwork()) }
        service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
        await service.resource("/x").loadIfNeeded()?.completion()
        #expect(service.resource("/x").text == "cached")
    }

    @Test func `A wipe asks for the key anew, so that another user does not see what belongs to the last`() async {
        let clock = TestClock()
        let cache = CacheOfUser()
        cache.entities["ada"] = Entity<Any>(content: "Ada's", headers: [:], timestamp: clock.wallTime)
        cache.entities["bob"] = Entity<Any>(content: "Bob's", headers: [:], timestamp: clock.wallTime)
        let service = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: StubNetwork()) }
        service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
        await service.resource("/x").loadIfNeeded()?.completion()
        #expect(service.resource("/x").text == "Ada's")
        cache.user = "bob"
        service.wipeResources()
        #expect(service.resource("/x").text.isEmpty)
        await service.resource("/x").loadIfNeeded()?.completion()
        #expect(service.resource("/x").text == "Bob's")
    }

    /// Works on the main queue, so that it needs no lock.
    @MainActor
    private final class CacheOfUser: EntityCache {
        var user: String? = "ada"
        /// Runs at the next call of `key(for:)`.
        var onKey: (() -> Void)?
        /// True if that call returns the key that it has determined before.
        var returnsOld = false
        var entities: [String: Entity<Any>] = [:]

        nonisolated var workQueue: DispatchQueue { .main }

        func key(for resource: Resource) -> String? {
            let old = user
            onKey.take()?()
            return returnsOld ? old : user
        }

        nonisolated func readEntity(forKey key: String) -> Entity<Any>? {
            MainActor.assumeIsolated { UncheckedSendable(entities[key]) }.value
        }

        nonisolated func writeEntity(_ entity: Entity<Any>, forKey key: String) {}
        nonisolated func removeEntity(forKey key: String) {}
    }

    @Test func `The cache of the test kit remembers what was asked of it`() async {
        let bench = CacheBench()
        let cache = InMemoryCache()
        bench.service.configure { $0.pipeline[.model].cacheUsing(cache) }
        bench.network.answer(.get, "/x", with: .text("x", headers: ["ETag": "tag"]), .notModified)
        await bench.resource.load().completion()
        await bench.resource.load().completion()
        bench.resource.overrideLocalContent(with: "local")
        let url = "http://cache.test/x"
        while cache.operations.count < 4, !Task.isCancelled { await mainQueueTurn() }
        #expect(cache.operations == [.read(url), .write(url), .updateTimestamp(url), .remove(url)])
        #expect(cache.entities.isEmpty)
    }

    @Test(arguments: [false, true])
    func `A cache may wipe all resources while it is asked whether a hit still counts`(isLogout: Bool) async throws {
        let (clock, cache, network) = (TestClock(), CacheOfUser(), StubNetwork())
        cache.entities["ada"] = Entity<Any>(content: "Ada's", headers: [:], timestamp: clock.wallTime)
        network.answer(.get, "/x", with: .text("Bob's"))
        let service = clock.whileCurrent { Service(baseURL: "http://cache.test", networking: network) }
        service.configure { $0.pipeline[.cleanup].cacheUsing(cache) }
        let resource = service.resource("/x")
        var load: (any Request)?
        resource.addObserver(owner: cache) { resource, event in
            if event == .newData(.wipe), !isLogout { load = resource.loadIfNeeded() }
        }
        cache.returnsOld = isLogout
        cache.onKey = {
            cache.user = isLogout ? nil : "bob"
            service.wipeResources(includingCaches: isLogout)
        }
        try await Poll.until { cache.onKey == nil }
        if isLogout {
            await resource.cacheIsRead()
            #expect(resource.text.isEmpty)
        } else {
            try await Poll.until { load?.isCompleted == true }
            #expect(resource.text == "Bob's")
        }
    }
}
