public import Foundation

/// A store in which a ``PersistentCache`` keeps its records. A record consists of bytes, and has a key.
///
/// A ``CacheStorage`` uses the store. The storage determines the format of the bytes and the order of the writes. It
/// also answers reads of records that are still being written. ``read(_:)`` may be called at any time, even
/// concurrently with itself and with other functions. Only one of the other functions runs at a time.
///
/// The functions must not block the calling thread. If a store must wait for a disk, it waits on its own thread. If the
/// store as a whole does not work, for example because it is damaged, locked, full or missing, the functions must throw
/// an error, and must not crash.
public protocol RecordStore: Sendable {
    /// The name of the store, for logs and statistics, for example the path of its folder.
    var name: String { get }

    /// Returns the records that exist for `keys`. These records are then the most recently used ones, and are evicted
    /// last.
    ///
    /// A record that cannot be read is omitted, and is treated as missing.
    func read(_ keys: [RecordKey]) async throws -> [RecordKey: Data]

    /// Makes `changes` in order, and then evicts the least recently used records until the store is within its limits.
    ///
    /// A record is replaced as a whole or not at all. No process ever reads a mixture of two records, even after a
    /// crash. When the function returns, other processes and later instances of the store see the changes.
    /// ``EntityCacheOptions/Durability`` determines whether the changes survive a power failure.
    ///
    /// - Throws: The error of the first change that fails. A store still makes the other changes if they do not depend
    ///   on the failed change.
    func apply(_ changes: [RecordChange]) async throws

    /// Makes all applied changes durable, so that they survive a power failure.
    func flush() async throws

    /// Returns the number and the size of the stored records.
    func usage() async throws -> RecordUsage

    /// Returns the keys of all records, in any order. Does not mark the records as used.
    func allKeys() async throws -> [RecordKey]

    /// Frees unused space, and removes files that remain from crashed processes.
    func compact() async throws
}

/// A store that can also read records without marking them as used.
package protocol QuietRecordStore: RecordStore {
    /// Returns the records that exist for `keys`. Their order of eviction does not change.
    func readQuietly(_ keys: [RecordKey]) async throws -> [RecordKey: Data]
}

/// A store that keeps files open, and can close them.
package protocol ClosableRecordStore: RecordStore {
    /// Closes the files until the next use. Then the files that the app names contain all records.
    func close() async
}

extension RecordStore {
    /// Returns the records for a check that is no use of them. In a store of the app, they count as used.
    func recordsToCheck(_ keys: [RecordKey]) async throws -> [RecordKey: Data] {
        guard let store = self as? any QuietRecordStore else { return try await read(keys) }
        return try await store.readQuietly(keys)
    }
}
