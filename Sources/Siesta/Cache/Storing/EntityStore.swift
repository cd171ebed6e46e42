public import Foundation

/// Where a ``StoredEntityCache`` keeps its records: bytes under keys, and nothing else.
///
/// What the bytes mean, who may see them, in which order they are written and which write is still under way is the
/// business of ``EntityStorage``, which is in front of every store. ``read(_:)`` may be called at any time, also twice
/// at once and while one of the other functions is under way; of the others, never two at once.
///
/// The functions must not block the thread they are called on: what waits for a disk does that on a thread of its own.
/// They throw if the store as a whole cannot do what was asked; a store that is damaged, locked, full or missing
/// throws, and does not crash.
public protocol EntityStore: Sendable {
    /// What the store is, and where, for logs and statistics.
    var name: String { get }

    /// The records of those of `keys` that have one. Counts as a use of them.
    ///
    /// A record that cannot be read is left out, which makes it a miss.
    func read(_ keys: [EntityStoreKey]) async throws -> [EntityStoreKey: Data]

    /// Does what ``read(_:)`` does before it returns, for those who call ``EntityCache/readEntity(forKey:)`` themselves.
    ///
    /// The calling thread may be one of Swift's pool for tasks, which are as few as the machine has cores: it may wait
    /// for a disk or another thread, but not for a task.
    ///
    /// A store that does not implement it is asked by ``read(_:)``, on a thread that serves this call alone. What
    /// `read` itself awaits must not need the pool either, as other tasks, `Task.sleep` and the main actor do; such a
    /// store has to implement both.
    func readSynchronously(_ keys: [EntityStoreKey]) throws -> [EntityStoreKey: Data]

    /// Makes `changes`, in order, and then keeps to the limits that the store was made with: the least recently used go
    /// first.
    ///
    /// A record is replaced as a whole, or not at all: no reader, in any process, at any time, after any crash, sees a
    /// mixture. On return, other processes and later instances see the changes, unless the power fails; whether that
    /// makes a difference is up to ``EntityCacheOptions/Durability``.
    ///
    /// - Throws: the first failure, after all the other changes were tried, too.
    func apply(_ changes: [EntityStoreChange]) async throws

    /// Makes everything that was applied outlast a failure of power.
    func flush() async throws

    /// How much is stored now.
    func usage() async throws -> EntityStoreUsage

    /// The keys of all records, in any order. Does not count as a use.
    func allKeys() async throws -> [EntityStoreKey]

    /// Gives back space that is not needed, and removes what crashes have left.
    func compact() async throws
}
