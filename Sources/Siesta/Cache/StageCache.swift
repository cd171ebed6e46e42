import Dispatch
import Foundation

/// The cache of a stage, with keys of any type.
protocol StageCache: Sendable {
    /// Returns the entry of `resource` in the cache, or nil if the cache does not want the resource.
    ///
    /// - Parameter requestHeaders: the headers of the request whose response is read or stored.
    @MainActor func entry(
        for resource: Resource, requestHeaders: @MainActor () -> [String: String]
    ) -> (any CacheEntry)?

    /// True if the cache currently has no place for any entity, because its principal is nil.
    @MainActor var lacksPrincipal: Bool { get }

    /// True if the cache stores an output only if all stages accept the response. Otherwise a bad response would
    /// replace good data.
    var keepsWhatSucceeds: Bool { get }

    /// The storage of the cache's entities, if the library provides it.
    var sharedStorage: EntityStorage? { get }

    /// Returns the current principal of the cache; nil if the cache is not partitioned.
    var principal: (@MainActor () -> String?)? { get }
}

/// The place of one resource in one cache. Only a ``CacheLane`` uses it.
///
/// No call waits. Calls take effect in the order in which they are made; `lane` is for caches that cannot keep that
/// order by themselves.
protocol CacheEntry: Sendable {
    /// True if a response to a request that was made for this place may be stored there now.
    @MainActor var isCurrent: Bool { get }

    /// Returns true if the place still belongs to the resource under the current principal, and would still yield
    /// `hit`.
    ///
    /// - Parameter requestHeaders: the headers that a request would have now.
    @MainActor func isPlace(
        of resource: Resource, for hit: CacheLane.Hit?, requestHeaders: @MainActor () -> [String: String]
    ) -> Bool

    /// Reads the entity, and calls `completion` once, on any thread.
    func read(on lane: WorkLane, _ completion: @escaping @Sendable (UncheckedTransfer<Entity<Any>?>) -> Void)
    func write(_ output: ResponseProcessing.CacheableOutput, on lane: WorkLane)
    /// - Parameter validator: the validator that the server has confirmed, if it is known.
    func updateTimestamp(_ timestamp: TimeInterval, of validator: Validator?, on lane: WorkLane)
    func remove(on lane: WorkLane)
}

/// Adapts an ``EntityCache`` of any key type, and calls it on its work queue.
struct EntityCacheAdapter<Cache: EntityCache>: StageCache {
    private let cache: Cache

    init(_ cache: Cache) {
        self.cache = cache
    }

    var sharedStorage: EntityStorage? { nil }

    var principal: (@MainActor () -> String?)? { nil }

    var lacksPrincipal: Bool { false }
    /// As in Siesta 1.5.
    var keepsWhatSucceeds: Bool { false }

    @MainActor func entry(
        for resource: Resource, requestHeaders: @MainActor () -> [String: String]
    ) -> (any CacheEntry)? {
        cache.key(for: resource).map { key in
            Entry(
                cache: cache, key: UncheckedTransfer(key), unfinished: resource.context.unfinishedWrites,
                lastWipeTime: resource.context.lastWipeTime, clock: resource.context.clock)
        }
    }

    private struct Entry: CacheEntry {
        let cache: Cache
        let key: UncheckedTransfer<Cache.Key>
        let unfinished: UnfinishedWrites
        /// The time of the last wipe; minus infinity if there was none.
        let lastWipeTime: TimeInterval
        let clock: SiestaClock

        var isCurrent: Bool { true }

        /// A hit is shown only if the resource still has the same key when the hit arrives.
        func isPlace(
            of resource: Resource, for hit: CacheLane.Hit?, requestHeaders: @MainActor () -> [String: String]
        ) -> Bool {
            guard hit != nil else { return true }
            return cache.key(for: resource).map { isEqual($0, key.value) } ?? false
        }

        /// Compares keys. Keys that are not `Equatable` are compared by their debug descriptions.
        private func isEqual(_ left: Cache.Key, _ right: Cache.Key) -> Bool {
            guard let left = left as? any Equatable else {
                return String(reflecting: left) == String(reflecting: right)
            }
            return left.isEqual(to: right)
        }

        /// The completion runs on another queue: it may run transformers, and the cache must not wait for these.
        func read(on lane: WorkLane, _ completion: @escaping @Sendable (UncheckedTransfer<Entity<Any>?>) -> Void) {
            lane.async(on: cache.workQueue) {
                let entity = UncheckedTransfer(readEntity())
                DispatchQueue.global(qos: .userInitiated).async { completion(entity) }
            }
        }

        private func readEntity() -> Entity<Any>? {
            guard let entity = cache.readEntity(forKey: key.value) else { return nil }
            guard mayHaveBeenWiped(entity.timestamp) else { return entity }
            cache.removeEntity(forKey: key.value)
            return nil
        }

        /// Returns true if an entity with this timestamp may have been stored before the last wipe. A timestamp in the
        /// future comes from before the wall clock was set back, and says nothing about the order.
        private func mayHaveBeenWiped(_ timestamp: TimeInterval) -> Bool {
            lastWipeTime.isFinite && !(lastWipeTime...max(lastWipeTime, clock.wallTime) ~= timestamp)
        }

        func write(_ output: ResponseProcessing.CacheableOutput, on lane: WorkLane) {
            let entity = UncheckedTransfer(output.entity)
            let number = unfinished.begin { remove(on: lane) }
            lane.async(on: cache.workQueue) {
                guard unfinished.contains(number) else { return }
                cache.writeEntity(entity.value, forKey: key.value)
                unfinished.end(number)
            }
        }

        func updateTimestamp(_ timestamp: TimeInterval, of validator: Validator?, on lane: WorkLane) {
            lane.async(on: cache.workQueue) { cache.updateEntityTimestamp(timestamp, forKey: key.value) }
        }

        func remove(on lane: WorkLane) {
            lane.async(on: cache.workQueue) { cache.removeEntity(forKey: key.value) }
        }
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
