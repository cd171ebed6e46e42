public import Dispatch
public import Foundation

/// A cache whose entities outlive the process, or at least the resource.
///
/// Attach a cache to a pipeline stage with ``PipelineStage/cacheUsing(_:)``. The cache then stores the stage's output
/// of every successful GET. A resource without data asks it when it is first observed or its data is first read.
///
/// `key(for:)` is called on the main thread, all other functions on ``workQueue``. Calls for one resource come one
/// after the other, in the order of the events that caused them. Calls for different resources may overlap if the queue
/// is concurrent.
@preconcurrency
public protocol EntityCache: Sendable {
    /// The key of an entity in this cache.
    associatedtype Key

    /// Returns the key for `resource`, or nil to keep the resource out of this cache.
    ///
    /// Include everything in it that the content depends on, such as the user who is logged in. The resource asks again
    /// when an entity was found. If the key has changed by then, the resource does not show the entity, and looks for
    /// the new key. Keys that are not `Equatable` are compared by their debug descriptions.
    @MainActor func key(for resource: Resource) -> Key?

    /// Returns the entity stored for `key`, or nil if there is none. Its timestamp is that of the last write or update.
    func readEntity(forKey key: Key) -> Entity<Any>?

    /// Stores an entity, replacing the stored one if there is any.
    func writeEntity(_ entity: Entity<Any>, forKey key: Key)

    /// Changes the timestamp of a stored entity after the server has confirmed that it is current.
    func updateEntityTimestamp(_ timestamp: TimeInterval, forKey key: Key)

    /// Removes the entity stored for `key`, if there is one.
    func removeEntity(forKey key: Key)

    /// The queue on which the library calls this cache.
    var workQueue: DispatchQueue { get }
}

extension EntityCache {
    /// The global queue of quality of service `userInitiated`.
    public var workQueue: DispatchQueue { DispatchQueue.global(qos: .userInitiated) }

    /// Reads the entity, changes its timestamp and writes it back.
    public func updateEntityTimestamp(_ timestamp: TimeInterval, forKey key: Key) {
        guard var entity = readEntity(forKey: key) else { return }
        entity.timestamp = timestamp
        writeEntity(entity, forKey: key)
    }
}
