import CacheTorture
import Foundation
import SiestaCore
import SiestaTesting
import TestKit
import Testing

@testable import SiestaCaches

/// Reads of entities whose changes have reached the store, and of others.
@MainActor @Suite(.timeLimit(.test))
struct EntityReadTests {
    @Test func `A read finds what the cache last wrote, if it is neither too old nor unreadable`() async throws {
        let store = RecordingStore()
        let storage = CacheStorage(store, options: EntityCacheOptions(ageLimit: 60))
        let clock = TestClock(wallTime: 1000).clock
        func key(_ name: String) -> CacheKey { CacheKey(principal: "", address: name, coding: .data) }
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
        #expect(await storage.entity(forKey: key("stored"), clock: clock)?.timestamp == 990)
        #expect(await storage.entity(forKey: key("pending"), clock: clock)?.timestamp == 950)
        for name in ["old", "pending and old", "never there", "unknown"] {
            #expect(await storage.entity(forKey: key(name), clock: clock) == nil, "\(name)")
        }
        store.release()
        try await storage.flush()
        store.fail()
        #expect(await storage.entity(forKey: key("stored"), clock: clock) == nil)
        let statistics = await storage.statistics()
        #expect((statistics.hits, statistics.misses) == (2, 5))
    }
}
