public import Foundation

/// A store in which a ``PersistentCache`` keeps its records: bytes under keys.
///
/// Each store is used by a ``CacheStorage``. The storage determines the meaning of the bytes, the access to them, and
/// the order of writes. It also serves reads of records whose writes are not complete. ``read(_:)`` may be called at
/// any time, even concurrently with itself and with other functions. Only one of the other functions runs at a time.
///
/// The functions must not block the calling thread. If a store must wait for a disk, it waits on its own thread. The
/// functions throw if the whole store cannot do its work. A store that is damaged, locked, full or missing must throw,
/// and must not crash.
public protocol RecordStore: Sendable {
    /// The kind of the store and its location, for logs and statistics.
    var name: String { get }

    /// Returns the records that exist for `keys`. These records then count as just used, and are evicted last.
    ///
    /// A record that cannot be read is omitted and counts as a miss.
    func read(_ keys: [RecordKey]) async throws -> [RecordKey: Data]

    /// Makes `changes` in order, and then evicts the least recently used records until the store is within its limits.
    ///
    /// A record is replaced as a whole or not at all. No process ever reads a mixture of two records, even after a
    /// crash. When the function returns, other processes and later instances see the changes.
    /// ``EntityCacheOptions/Durability`` determines whether the changes survive a power failure.
    ///
    /// - Throws: the first failure. A store still makes the other changes if they do not depend on the failed change.
    func apply(_ changes: [RecordChange]) async throws

    /// Makes all applied changes durable, so that they survive a power failure.
    func flush() async throws

    /// Returns the number and the size of the stored records.
    func usage() async throws -> RecordUsage

    /// Returns the keys of all records, in any order. The records do not count as used.
    func allKeys() async throws -> [RecordKey]

    /// Frees unused space, and removes files that remained after crashes.
    func compact() async throws
}
