import Dispatch
import Foundation

/// The cache of a stage, whatever its keys are.
protocol StageCache: Sendable {
    /// The place of `resource` in the cache, nil if the cache does not want it.
    @MainActor func entry(for resource: Resource) -> (any CacheEntry)?

    /// Removes all that the cache holds for whom it is now, if it can.
    @MainActor func removeAll()

    /// What keeps the cache's entities, if the library does.
    var sharedStorage: EntityStorage? { get }
}

/// One resource's place in one cache, for a ``CacheLane`` alone.
///
/// No call waits. What is asked for later has its effect later; `lane` is a serial queue on which a cache may wait that
/// needs that.
protocol CacheEntry: Sendable {
    /// Whether the place still is that of the resource, for whom it is now.
    @MainActor var isCurrent: Bool { get }

    /// Looks for the entity, and hands it on once, on any thread.
    func read(on lane: DispatchQueue, _ completion: @escaping @Sendable (UncheckedTransfer<Entity<Any>?>) -> Void)
    func write(_ entity: Entity<Any>, on lane: DispatchQueue)
    /// - Parameter validator: what the server was asked about, if that is known.
    func updateTimestamp(_ timestamp: TimeInterval, of validator: Validator?, on lane: DispatchQueue)
    func remove(on lane: DispatchQueue)
}

/// An ``EntityCache`` of any key type, whose calls wait for its work queue.
struct EntityCacheAdapter<Cache: EntityCache>: StageCache {
    private let cache: Cache

    init(_ cache: Cache) {
        self.cache = cache
    }

    var sharedStorage: EntityStorage? { nil }

    func removeAll() {}

    @MainActor func entry(for resource: Resource) -> (any CacheEntry)? {
        cache.key(for: resource).map { Entry(cache: cache, key: UncheckedTransfer($0)) }
    }

    private struct Entry: CacheEntry {
        let cache: Cache
        let key: UncheckedTransfer<Cache.Key>

        var isCurrent: Bool { true }

        func read(
            on lane: DispatchQueue, _ completion: @escaping @Sendable (UncheckedTransfer<Entity<Any>?>) -> Void
        ) {
            lane.async {
                completion(cache.workQueue.sync { UncheckedTransfer(cache.readEntity(forKey: key.value)) })
            }
        }

        func write(_ entity: Entity<Any>, on lane: DispatchQueue) {
            let entity = UncheckedTransfer(entity)
            work(on: lane) { cache.writeEntity(entity.value, forKey: key.value) }
        }

        func updateTimestamp(_ timestamp: TimeInterval, of validator: Validator?, on lane: DispatchQueue) {
            work(on: lane) { cache.updateEntityTimestamp(timestamp, forKey: key.value) }
        }

        func remove(on lane: DispatchQueue) {
            work(on: lane) { cache.removeEntity(forKey: key.value) }
        }

        private func work(on lane: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
            lane.async { cache.workQueue.sync(execute: work) }
        }
    }
}
