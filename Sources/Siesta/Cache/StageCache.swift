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

    /// What keeps the cache's entities, if the library does.
    var sharedStorage: EntityStorage? { get }

    /// Whose entities these are, which may change; nil if the cache is not partitioned.
    var principal: (@MainActor () -> String?)? { get }
}

/// One resource's place in one cache, for a ``CacheLane`` alone.
///
/// No call waits. What is asked for later has its effect later; `lane` is for caches that cannot keep the order by
/// themselves.
protocol CacheEntry: Sendable {
    /// Whether what was requested for this place may be stored there now.
    @MainActor var isCurrent: Bool { get }

    /// Whether the place still is that of the resource, for whom it is now, and would still bring `hit`.
    ///
    /// - Parameter requestHeaders: those that a request has now.
    @MainActor func isPlace(
        of resource: Resource, for hit: CacheLane.Hit?, requestHeaders: @MainActor () -> [String: String]
    ) -> Bool

    /// Looks for the entity, and hands it on once, on any thread.
    func read(on lane: WorkLane, _ completion: @escaping @Sendable (UncheckedTransfer<Entity<Any>?>) -> Void)
    func write(_ output: ResponseProcessing.CacheableOutput, on lane: WorkLane)
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
        /// When everything was wiped; never, at minus infinity.
        let lastWipeTime: TimeInterval
        let clock: SiestaClock

        var isCurrent: Bool { true }

        /// A hit is shown only to those who have the same key when it comes.
        func isPlace(
            of resource: Resource, for hit: CacheLane.Hit?, requestHeaders: @MainActor () -> [String: String]
        ) -> Bool {
            guard hit != nil else { return true }
            return cache.key(for: resource).map { isEqual($0, key.value) } ?? false
        }

        /// Keys of types that cannot be compared are compared by what they show of themselves.
        private func isEqual(_ left: Cache.Key, _ right: Cache.Key) -> Bool {
            guard let left = left as? any Equatable else {
                return String(reflecting: left) == String(reflecting: right)
            }
            return left.isEqual(to: right)
        }

        /// The completion may run transformers, for which the cache must not wait.
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

        /// Whether an entity may have been there when everything was wiped. What is dated in the future was stored
        /// before the wall clock was set back, and nobody knows when.
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
