import Dispatch
import Foundation

/// The cache of a stage, whatever its keys are.
protocol StageCache: Sendable {
    /// The place of `resource` in the cache, nil if the cache does not want it.
    ///
    /// - Parameter requestHeaders: those of the request whose answer is looked for or stored.
    @MainActor func entry(
        for resource: Resource, requestHeaders: @MainActor () -> [String: String]
    ) -> (any CacheEntry)?

    /// Whether it has no place for anything because it is not known whose data it is, which may change.
    @MainActor var lacksPrincipal: Bool { get }

    /// Whether only what all stages accept is to be stored: otherwise one bad answer would take the place of good data.
    var keepsWhatSucceeds: Bool { get }

    /// Removes all that the cache holds for whom it is now, if it can.
    @MainActor func removeAll()

    /// What keeps the cache's entities, if the library does.
    var sharedStorage: EntityStorage? { get }
}

/// One resource's place in one cache, for a ``CacheLane`` alone.
///
/// No call waits. What is asked for later has its effect later; `lane` is for caches that cannot keep the order by
/// themselves.
protocol CacheEntry: Sendable {
    /// Whether the place still is that of the resource, for whom it is now.
    @MainActor var isCurrent: Bool { get }

    /// Looks for the entity, and hands it on once, on any thread.
    func read(on lane: WorkLane, _ completion: @escaping @Sendable (UncheckedTransfer<Entity<Any>?>) -> Void)
    func write(_ entity: Entity<Any>, on lane: WorkLane)
    /// - Parameter validator: what the server was asked about, if that is known.
    func updateTimestamp(_ timestamp: TimeInterval, of validator: Validator?, on lane: WorkLane)
    func remove(on lane: WorkLane)
}

/// An ``EntityCache`` of any key type, whose calls go to its work queue.
struct EntityCacheAdapter<Cache: EntityCache>: StageCache {
    private let cache: Cache

    init(_ cache: Cache) {
        self.cache = cache
    }

    var sharedStorage: EntityStorage? { nil }

    func removeAll() {}

    var lacksPrincipal: Bool { false }
    /// As in Siesta 1.5.
    var keepsWhatSucceeds: Bool { false }

    @MainActor func entry(
        for resource: Resource, requestHeaders: @MainActor () -> [String: String]
    ) -> (any CacheEntry)? {
        cache.key(for: resource).map { Entry(cache: cache, key: UncheckedTransfer($0)) }
    }

    private struct Entry: CacheEntry {
        let cache: Cache
        let key: UncheckedTransfer<Cache.Key>

        var isCurrent: Bool { true }

        /// The completion may run transformers, for which the cache must not wait.
        func read(on lane: WorkLane, _ completion: @escaping @Sendable (UncheckedTransfer<Entity<Any>?>) -> Void) {
            lane.async(on: cache.workQueue) {
                let entity = UncheckedTransfer(cache.readEntity(forKey: key.value))
                DispatchQueue.global(qos: .userInitiated).async { completion(entity) }
            }
        }

        func write(_ entity: Entity<Any>, on lane: WorkLane) {
            let entity = UncheckedTransfer(entity)
            lane.async(on: cache.workQueue) { cache.writeEntity(entity.value, forKey: key.value) }
        }

        func updateTimestamp(_ timestamp: TimeInterval, of validator: Validator?, on lane: WorkLane) {
            lane.async(on: cache.workQueue) { cache.updateEntityTimestamp(timestamp, forKey: key.value) }
        }

        func remove(on lane: WorkLane) {
            lane.async(on: cache.workQueue) { cache.removeEntity(forKey: key.value) }
        }
    }
}
