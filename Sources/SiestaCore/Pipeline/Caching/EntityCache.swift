public import Dispatch
public import Foundation

/// A cache whose entities outlive their resource and, in most cases, the process.
///
/// Attach a cache to a pipeline stage with ``PipelineStage/cacheUsing(_:)``. The cache then stores the stage's output
/// of every successful GET. A resource without data reads the cache when the app first observes it, loads it, or gets
/// its data.
///
/// `key(for:)` is called on the main thread, and all other functions on ``workQueue``. Calls for one resource are made
/// one after another, in the order of the events that caused them. Calls for different resources may overlap if the
/// queue is concurrent.
#if Swift5Clients
@preconcurrency
#endif
public protocol EntityCache: Sendable {
    /// The key of an entity in this cache. A key is created on the main thread and used on ``workQueue``.
    associatedtype Key: Sendable

    /// Returns the key for `resource`; nil if this cache must not store the resource.
    ///
    /// The key must include all values on which the content depends, such as the signed-in user. After the cache has
    /// found an entity, the resource requests the key again. If the key has changed, the resource discards the entity,
    /// and reads the cache with the new key. Keys that are not `Equatable` are compared by their debug descriptions.
    @MainActor func key(for resource: Resource) -> Key?

    /// Returns the entity stored for `key`; nil if there is no such entity. The timestamp of the entity must be the one
    /// that was stored last, either with the entity or by `updateEntityTimestamp(_:forKey:)`.
    func readEntity(forKey key: Key) -> Entity<Any>?

    /// Stores an entity. If an entity is already stored for `key`, replaces this entity.
    func writeEntity(_ entity: Entity<Any>, forKey key: Key)

    /// Changes the timestamp of a stored entity after the server has confirmed that the entity is current.
    func updateEntityTimestamp(_ timestamp: TimeInterval, forKey key: Key)

    /// Removes the entity stored for `key`, if there is one.
    func removeEntity(forKey key: Key)

    /// The queue on which the library calls all functions of this cache except `key(for:)`.
    var workQueue: DispatchQueue { get }
}

extension EntityCache {
    /// The default queue: the global queue with the quality of service `userInitiated`.
    public var workQueue: DispatchQueue { DispatchQueue.global(qos: .userInitiated) }

    /// Reads the entity, changes its timestamp and writes it back.
    public func updateEntityTimestamp(_ timestamp: TimeInterval, forKey key: Key) {
        guard var entity = readEntity(forKey: key) else { return }
        entity.timestamp = timestamp
        writeEntity(entity, forKey: key)
    }
}
