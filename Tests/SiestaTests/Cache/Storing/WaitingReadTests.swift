import CacheTorture
import Dispatch
import Foundation
import SiestaTesting
import Testing

@testable import Siesta

/// `readEntity(forKey:)` of the library's caches, called on all threads of Swift's pool at the same time. The function
/// is synchronous. Each test runs in a separate process. If that process hangs, a thread outside the pool ends it.
@Suite(.timeLimit(.minutes(5)))
struct WaitingReadTests {
    @Test func `Many tasks may read a cache in files at once`() async {
        await #expect(processExitsWith: .success) {
            endIfStuck()
            let folder = try TestFolder()
            try await WaitingReads.check(
                FileEntityStore(folder: folder.url), reopened: FileEntityStore(folder: folder.url))
        }
    }

    @Test func `Many tasks may read a cache in memory at once`() async {
        await #expect(processExitsWith: .success) {
            endIfStuck()
            let store = MemoryEntityStore()
            try await WaitingReads.check(store, reopened: store)
        }
    }

    @Test func `Many tasks may read a cache with a store that does not know of synchronous reads`() async {
        await #expect(processExitsWith: .success) {
            endIfStuck()
            let store = RecordingStore()
            try await WaitingReads.check(store, reopened: store)
            let isolated = ActorStore()
            try await WaitingReads.check(isolated, reopened: isolated)
        }
    }

    @Test func `Caches of an app that read the library's caches do not need the pool either, nor do transformers`()
        async
    {
        await #expect(processExitsWith: .success) {
            endIfStuck()
            let folder = try TestFolder()
            try await WaitingReads.checkWrappers(FileEntityCache(at: folder.url))
        }
    }

    @Test func `The main actor may read a cache`() async {
        await #expect(processExitsWith: .success) {
            endIfStuck()
            let folder = try TestFolder()
            let cache = FileEntityCache(at: folder.url)
            let key = WaitingReads.key(1)
            try await WaitingReads.fill(cache)
            let next = StoredEntityCache(FileEntityStore(folder: folder.url))
            await MainActor.run { precondition(next.readEntity(forKey: key)?.content as? Data == Data("1".utf8)) }
        }
    }

    @Test func `A read from the store's own thread, as of a handler of log messages, is a miss and no deadlock`()
        async throws
    {
        let confined = Confined(label: "test") { 1 }
        let inner = try await confined.run { _ in Result { try confined.runWaiting { $0 } } }
        #expect(throws: (any Error).self) { try inner.get() }
        #expect(
            try confined.runWaiting { state in
                state += 1
                return state
            } == 2)
    }

    @Test func `A synchronous read finds what an asynchronous one finds`() async throws {
        let store = RecordingStore()
        let storage = EntityStorage(store, options: EntityCacheOptions(ageLimit: 60))
        let clock = TestClock(wallTime: 1000).clock
        func key(_ name: String) -> StoredEntityKey { StoredEntityKey(principal: "", address: name, coding: .data) }
        func entity(_ timestamp: TimeInterval) -> Entity<Any> {
            Entity<Any>(content: Data("x".utf8), headers: ["ETag": "1"], timestamp: timestamp)
        }
        storage.write(entity(1000), forKey: key("stored"))
        storage.write(entity(900), forKey: key("old"))
        try await storage.flush()
        storage.updateTimestamp(990, forKey: key("stored"))
        store.hold()
        storage.write(entity(950), forKey: key("pending"))
        storage.write(entity(900), forKey: key("pending and old"))
        storage.remove(key("never there"))
        #expect(storage.entity(forKey: key("stored"), clock: clock)?.timestamp == 990)
        #expect(storage.entity(forKey: key("pending"), clock: clock)?.timestamp == 950)
        for name in ["old", "pending and old", "never there", "unknown"] {
            #expect(storage.entity(forKey: key(name), clock: clock) == nil, "\(name)")
        }
        store.release()
        try await storage.flush()
        store.fail()
        #expect(storage.entity(forKey: key("stored"), clock: clock) == nil)
        let statistics = await storage.statistics()
        #expect((statistics.hits, statistics.misses) == (2, 5))
    }
}

/// Ends the process with a failure after two minutes, from a thread that waits for nothing.
private func endIfStuck() {
    Thread {
        Thread.sleep(forTimeInterval: 120)
        _exit(3)
    }.start()
}

/// A store that keeps its records on an actor.
private actor ActorStore: EntityStore {
    private let records = MemoryEntityStore()

    nonisolated var name: String { "on an actor" }

    func read(_ keys: [EntityStoreKey]) async throws -> [EntityStoreKey: Data] { try await records.read(keys) }
    func apply(_ changes: [EntityStoreChange]) async throws { try await records.apply(changes) }
    func flush() async throws {}
    func usage() async throws -> EntityStoreUsage { try await records.usage() }
    func allKeys() async throws -> [EntityStoreKey] { try await records.allKeys() }
    func compact() async throws {}
}

private enum WaitingReads {
    private static let count = 64

    static func key(_ number: Int) -> StoredEntityKey {
        StoredEntityKey(principal: "", address: "http://h.test/\(number)", coding: .data)
    }

    static func fill<Store>(_ cache: StoredEntityCache<Store>) async throws {
        for number in 0..<count {
            cache.writeEntity(Entity<Any>(content: Data("\(number)".utf8), headers: [:]), forKey: key(number))
        }
        try await cache.storage.flush()
    }

    static func check(_ store: some EntityStore, reopened: some EntityStore) async throws {
        try await fill(StoredEntityCache(store))
        try await check(StoredEntityCache(reopened))
    }

    /// Makes all tasks read at once, several times.
    private static func check<Cache: EntityCache>(_ cache: Cache) async throws where Cache.Key == StoredEntityKey {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    for step in 0..<8 {
                        let wanted = (number + step) % count
                        let content = cache.readEntity(forKey: key(wanted))?.content as? Data
                        precondition(content == Data("\(wanted)".utf8))
                    }
                }
            }
        }
    }

    private struct Wrapper: EntityCache {
        let inner: FileEntityCache

        func key(for resource: Resource) -> StoredEntityKey? { inner.key(for: resource) }
        func readEntity(forKey key: StoredEntityKey) -> Entity<Any>? { inner.readEntity(forKey: key) }
        func writeEntity(_ entity: Entity<Any>, forKey key: StoredEntityKey) { inner.writeEntity(entity, forKey: key) }
        func removeEntity(forKey key: StoredEntityKey) { inner.removeEntity(forKey: key) }
    }

    /// A transformer that reads the cache for every response.
    private struct Reader: ResponseTransformer {
        let inner: FileEntityCache

        func process(_ response: Response) -> Response {
            response.map { entity in
                let stored = inner.readEntity(forKey: key(1))?.content as? Data
                return Entity<Any>(content: stored ?? Data(), contentType: entity.contentType)
            }
        }
    }

    @MainActor
    static func checkWrappers(_ cache: FileEntityCache) async throws {
        try await fill(cache)
        try await check(Wrapper(inner: cache))
        let network = StubNetwork()
        network.handler = { _ in .text("loaded") }
        let service = Service(baseURL: "http://h.test", standardTransformers: [], networking: network)
        service.configure { $0.pipeline[.rawData].cacheUsing(Wrapper(inner: cache)) }
        service.configure("/loaded/*") {
            $0.pipeline.removeAllCaches()
            $0.pipeline[.rawData].add(Reader(inner: cache))
        }
        let hits = (0..<count).compactMap { service.resource("/\($0)").loadIfNeeded() }
        let loads = (0..<count).map { service.resource("/loaded/\($0)").load() }
        async let busy: Void = check(Wrapper(inner: cache))
        for request in hits + loads { await request.completion() }
        try await busy
        precondition(network.requests.count == count)
        precondition((0..<count).allSatisfy { service.resource("/\($0)").typedContent() == Data("\($0)".utf8) })
        precondition((0..<count).allSatisfy { service.resource("/loaded/\($0)").typedContent() == Data("1".utf8) })
    }
}
