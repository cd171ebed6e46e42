public import Foundation

/// The place where a ``StoredEntityCache`` keeps its records: bytes under keys.
///
/// An ``EntityStorage`` is in front of every store. It decides the meaning of the bytes, who may read them, the order
/// of writes, and how reads see writes under way. ``read(_:)`` may be called at any time: concurrently with itself and
/// with any other function. Of the other functions, only one runs at a time.
///
/// The functions must not block the calling thread: a store that waits for a disk does so on a thread of its own. They
/// throw if the store as a whole cannot do its work. A store that is damaged, locked, full or missing throws and does
/// not crash.
public protocol EntityStore: Sendable {
    /// The kind of the store and its place, for logs and statistics.
    var name: String { get }

    /// Returns the records of those of `keys` that have one, and counts this as a use of them.
    ///
    /// A record that cannot be read is left out, which makes it a miss.
    func read(_ keys: [EntityStoreKey]) async throws -> [EntityStoreKey: Data]

    /// Does the same as ``read(_:)`` on the calling thread. Callers of ``EntityCache/readEntity(forKey:)`` need it.
    ///
    /// The calling thread may belong to Swift's pool for tasks, which has only as many threads as the machine has
    /// cores. The function may therefore wait for a disk or another thread, but not for a task.
    ///
    /// The default implementation calls ``read(_:)`` on a thread that serves this call alone. It requires that `read`
    /// awaits nothing that needs the pool, such as other tasks, `Task.sleep` or the main actor. A store whose `read`
    /// does must implement both functions.
    func readSynchronously(_ keys: [EntityStoreKey]) throws -> [EntityStoreKey: Data]

    /// Makes `changes` in order, and then evicts the least recently used records until the store is within its limits.
    ///
    /// A record is replaced as a whole or not at all: no reader sees a mixture, in any process, at any time, after any
    /// crash. When the function returns, other processes and later instances see the changes. Whether they survive a
    /// power failure depends on ``EntityCacheOptions/Durability``.
    ///
    /// - Throws: the first failure. A store tries the other changes as well if it can make them without the failed one.
    func apply(_ changes: [EntityStoreChange]) async throws

    /// Makes all applied changes durable, so that they survive a power failure.
    func flush() async throws

    /// Returns the number and the size of the stored records.
    func usage() async throws -> EntityStoreUsage

    /// Returns the keys of all records, in any order. Does not count as a use.
    func allKeys() async throws -> [EntityStoreKey]

    /// Gives back unused space, and removes files that crashes have left.
    func compact() async throws
}
