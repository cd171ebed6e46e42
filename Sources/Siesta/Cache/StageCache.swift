import Dispatch
import Foundation

/// An ``EntityCache`` of any key type.
protocol StageCache: Sendable {
    /// The place of `resource` in the cache, nil if the cache does not want it.
    @MainActor func entry(for resource: Resource) -> (any CacheEntry)?
}

/// One resource's place in one cache. The calls wait for the cache's work queue, so they are for a ``CacheLane`` alone.
protocol CacheEntry: Sendable {
    func read() -> Entity<Any>?
    func write(_ entity: Entity<Any>)
    func updateTimestamp(_ timestamp: TimeInterval)
    func remove()
}

struct EntityCacheAdapter<Cache: EntityCache>: StageCache {
    private let cache: Cache

    init(_ cache: Cache) {
        self.cache = cache
    }

    @MainActor func entry(for resource: Resource) -> (any CacheEntry)? {
        cache.key(for: resource).map { Entry(cache: cache, key: UncheckedTransfer($0)) }
    }

    private struct Entry: CacheEntry {
        let cache: Cache
        let key: UncheckedTransfer<Cache.Key>

        func read() -> Entity<Any>? {
            onWorkQueue { cache.readEntity(forKey: key.value) }
        }

        func write(_ entity: Entity<Any>) {
            onWorkQueue { cache.writeEntity(entity, forKey: key.value) }
        }

        func updateTimestamp(_ timestamp: TimeInterval) {
            onWorkQueue { cache.updateEntityTimestamp(timestamp, forKey: key.value) }
        }

        func remove() {
            onWorkQueue { cache.removeEntity(forKey: key.value) }
        }

        private func onWorkQueue<Result>(_ work: () -> Result) -> Result {
            cache.workQueue.sync(execute: work)
        }
    }
}
