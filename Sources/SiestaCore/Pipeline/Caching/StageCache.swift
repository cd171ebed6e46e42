import Dispatch
package import Foundation
package import HTTPRules

/// The cache of a pipeline stage: an adapter for a cache of the app, or a cache of another module of this package.
package protocol StageCache: Sendable {
    /// Returns the entry of `resource` in the cache; nil if the cache does not store the resource.
    ///
    /// - Parameter requestHeaders: the headers of the request whose response is read or stored.
    @MainActor func entry(
        for resource: Resource, requestHeaders: @MainActor () -> [String: String]
    ) -> (any CacheEntry)?

    /// Returns true if the cache cannot store any entity of a resource now, because its principal is nil.
    @MainActor func lacksPrincipal(for resource: Resource) -> Bool

    /// True if the cache stores an output only if all stages accept the response. If a later stage rejects a response,
    /// the response must not replace good data.
    var storesOnlySuccesses: Bool { get }

    /// True if the cache also stores error responses, as entities whose content is an ``ErrorBody``.
    var storesErrors: Bool { get }

    /// The storage of the cache's entities, if the library provides it.
    var sharedStorage: (any SharedStorage)? { get }

    /// The name of the cache for people.
    var name: String { get }

    /// Returns the current principal of the cache; nil if the cache is not partitioned.
    var principal: (@MainActor () -> String?)? { get }
}

/// The place of one resource in one cache. Only a ``CacheLane`` uses it.
///
/// Calls return at once, and take effect in the order in which they are made. `lane` is for caches that cannot keep
/// this order themselves.
package protocol CacheEntry: Sendable {
    /// True if the response to a request for this place may be stored in the place now.
    @MainActor var isCurrent: Bool { get }

    /// Returns true if the place still belongs to the resource and the current principal, and a read would still find
    /// `hit`.
    ///
    /// - Parameter requestHeaders: the headers that a request would have now.
    @MainActor func isPlace(
        of resource: Resource, for hit: CacheHit?, requestHeaders: @MainActor () -> [String: String]
    ) -> Bool

    /// Reads the entity, and calls `completion` once, on any thread.
    func read(on lane: WorkLane, _ completion: @escaping @Sendable (UncheckedSendable<Entity<Any>?>) -> Void)
    func write(_ output: CacheableOutput, on lane: WorkLane)
    func confirm(_ confirmation: CacheConfirmation, on lane: WorkLane)
    func remove(on lane: WorkLane)
}

/// The server's confirmation that a stored entity is current.
package struct CacheConfirmation: Sendable {
    /// The time of the confirmation, as wall time in seconds since the reference date.
    package let timestamp: TimeInterval
    /// The validator that the server has confirmed; nil if it is unknown.
    package let validator: Validator?
    /// The new headers of the stored entity, with names in lower case. An empty value removes a header.
    package let headers: [String: String]
    /// The caching info of the confirmation; nil if freshness does not follow HTTP.
    package let cachingInfo: CachingInfo?
}

/// An entity that was found in a cache.
package struct CacheHit {
    let entity: Entity<Any>
    /// The index of the stage to whose cache the entity belongs.
    let stage: Int
    /// The `Vary` header of the stored response.
    package let vary: String?
    /// The error, if the stored response is an error.
    var error: RequestError?
}

/// The result of a stage with a cache for a successful response, or an error response.
package struct CacheableOutput {
    package let stage: Int
    /// The entity with the status and the caching info of the response, even if transformers have made a new entity.
    package let entity: Entity<Any>
    /// The headers of the response before the first stage.
    package let response: HeaderFields

    package init(stage: Int, entity: Entity<Any>, response: HeaderFields) {
        (self.stage, self.entity, self.response) = (stage, entity, response)
    }

    /// Returns a header of the response, which transformers may have removed from the entity.
    package func responseHeader(_ name: String) -> String? { response[name] }
}

/// A storage that several caches share.
///
/// All functions return at once, and take effect in the order in which they are called.
package protocol SharedStorage: AnyObject, Sendable {
    /// True if the entities outlive this object.
    var outlivesInstance: Bool { get }

    /// Removes all entities of a principal; if it is empty, those of caches that are not partitioned.
    func removeAll(of principal: String)

    /// Removes all entities whose URL has this origin. Takes time proportional to the number of all entities.
    func removeAll(ofOrigin origin: URLOrigin)

    /// Waits until earlier removals are complete on disk.
    func flush() async throws

    /// Collects reads until ``releaseReads()``, so that the storage reads them as one batch.
    func holdReads()
    func releaseReads()
}

/// Adapts an ``EntityCache`` of any key type, and calls it on its work queue.
struct EntityCacheAdapter<Cache: EntityCache>: StageCache {
    private let cache: Cache

    var name: String { String(describing: Cache.self) }

    init(_ cache: Cache) {
        self.cache = cache
    }

    var sharedStorage: (any SharedStorage)? { nil }

    var principal: (@MainActor () -> String?)? { nil }

    func lacksPrincipal(for resource: Resource) -> Bool { false }

    /// The same behaviour as in Siesta 1.5.
    var storesOnlySuccesses: Bool { false }

    var storesErrors: Bool { false }

    @MainActor func entry(
        for resource: Resource, requestHeaders: @MainActor () -> [String: String]
    ) -> (any CacheEntry)? {
        cache.key(for: resource).flatMap { key in
            guard !resource.isPeculiar || isSpecific(key, to: resource) else { return nil }
            let context = resource.context
            // A change of user does not concern what is the same for all users.
            let change = resource.isPersonal ? context.lastPrincipalChange : -.infinity
            return Entry(
                cache: cache, key: key, unfinished: context.unfinishedWrites,
                lastWipeTime: max(context.lastWipe.time, change))
        }
    }

    /// Returns true if the keys of the cache differ for the bodies of the resource's loads. Otherwise, the cache would mix
    /// the content of different bodies.
    @MainActor private func isSpecific(_ key: Cache.Key, to resource: Resource) -> Bool {
        cache.key(for: resource.withOtherBody).map { !Self.isEqual($0, key) } ?? false
    }

    /// Compares keys. Keys that are not `Equatable` are compared by their debug descriptions, and texts by their bytes: two
    /// names that look the same can be those of two users.
    fileprivate static func isEqual(_ left: Cache.Key, _ right: Cache.Key) -> Bool {
        if let left = left as? String, let right = right as? String { return left.hasSameBytes(as: right) }
        guard let left = left as? any Equatable else {
            return String(reflecting: left) == String(reflecting: right)
        }
        return left.isEqual(to: right)
    }

    private struct Entry: CacheEntry {
        let cache: Cache
        let key: Cache.Key
        let unfinished: UnfinishedWrites
        /// The time of the last wipe or change of user that concerns the resource; minus infinity if there was none.
        let lastWipeTime: TimeInterval

        var isCurrent: Bool { true }

        /// A hit is shown only if the resource still has the same key when the hit arrives.
        func isPlace(
            of resource: Resource, for hit: CacheHit?, requestHeaders: @MainActor () -> [String: String]
        ) -> Bool {
            guard hit != nil else { return true }
            return cache.key(for: resource).map { EntityCacheAdapter.isEqual($0, key) } ?? false
        }

        /// The completion runs on another queue, because it may run transformers, and the cache's queue must not wait
        /// for them.
        func read(on lane: WorkLane, _ completion: @escaping @Sendable (UncheckedSendable<Entity<Any>?>) -> Void) {
            lane.async(on: cache.workQueue) {
                let entity = UncheckedSendable(readEntity())
                DispatchQueue.global(qos: .userInitiated).async { completion(entity) }
            }
        }

        private func readEntity() -> Entity<Any>? {
            guard let entity = cache.readEntity(forKey: key) else { return nil }
            guard mayHaveBeenWiped(entity.timestamp) else { return entity }
            cache.removeEntity(forKey: key)
            return nil
        }

        /// Returns true if an entity with this timestamp may have been stored before the last wipe. An entity with a
        /// timestamp in the future was stored before the wall clock was set back. Such a timestamp does not tell the
        /// order.
        private func mayHaveBeenWiped(_ timestamp: TimeInterval) -> Bool {
            lastWipeTime.isFinite && !(lastWipeTime...max(lastWipeTime, SiestaClock.active.wallTime) ~= timestamp)
        }

        func write(_ output: CacheableOutput, on lane: WorkLane) {
            guard output.entity.cachingInfo?.lifetime.isStorable ?? true else { return remove(on: lane) }
            let entity = UncheckedSendable(output.entity)
            let number = unfinished.begin { remove(on: lane) }
            lane.async(on: cache.workQueue) {
                guard unfinished.contains(number) else { return }
                cache.writeEntity(entity.value, forKey: key)
                unfinished.end(number)
            }
        }

        /// The protocol of caches of the app has no function for headers.
        func confirm(_ confirmation: CacheConfirmation, on lane: WorkLane) {
            guard confirmation.cachingInfo?.lifetime.isStorable ?? true else { return remove(on: lane) }
            lane.async(on: cache.workQueue) { cache.updateEntityTimestamp(confirmation.timestamp, forKey: key) }
        }

        func remove(on lane: WorkLane) {
            lane.async(on: cache.workQueue) { cache.removeEntity(forKey: key) }
        }
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
