public import Dispatch
public import Foundation

/// A place where entities outlive the process, or at least the resource.
///
/// Attach one to a pipeline stage with ``PipelineStage/cacheUsing(_:)``. It then gets what that stage makes of every
/// successful GET, and is asked when a resource that has no data is first observed or its data first read.
///
/// `key(for:)` is called on the main thread, all else on ``workQueue``. Calls for one resource come one after the
/// other, in the order of what caused them; calls for different resources may come at the same time if the queue is
/// concurrent.
@preconcurrency
public protocol EntityCache: Sendable {
    /// What tells the entries of this cache apart.
    associatedtype Key

    /// The key for `resource`; nil keeps the resource out of this cache.
    ///
    /// Include in it what the content depends on, such as who is logged in. Asked again when an entity was found: if the
    /// key is another by then, the resource does not show the entity, and looks for the new key. Keys that are not
    /// `Equatable` are compared by their debug descriptions.
    @MainActor func key(for resource: Resource) -> Key?

    /// The entity stored for `key`, with its timestamp as it was when it was written or last updated; nil if there is
    /// none.
    func readEntity(forKey key: Key) -> Entity<Any>?

    /// Stores an entity, replacing what is there.
    func writeEntity(_ entity: Entity<Any>, forKey key: Key)

    /// Changes the timestamp of a stored entity, which the server confirmed to be current.
    func updateEntityTimestamp(_ timestamp: TimeInterval, forKey key: Key)

    /// Removes what is stored for `key`, if anything.
    func removeEntity(forKey key: Key)

    /// The queue on which this cache works.
    var workQueue: DispatchQueue { get }
}

extension EntityCache {
    /// The global queue of quality `userInitiated`.
    public var workQueue: DispatchQueue { DispatchQueue.global(qos: .userInitiated) }

    /// Reads the entity, changes it and writes it back.
    public func updateEntityTimestamp(_ timestamp: TimeInterval, forKey key: Key) {
        guard var entity = readEntity(forKey: key) else { return }
        entity.timestamp = timestamp
        writeEntity(entity, forKey: key)
    }
}
