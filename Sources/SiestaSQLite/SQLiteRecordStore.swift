#if SQLite
public import Foundation
import Isolation
public import SiestaCaches

/// A record store in a SQLite database. The database is one file, with two more files beside it while it is in use.
///
/// Every batch of changes is one transaction. One connection writes and another reads, each on its own queue. Reads
/// therefore do not wait for writes. Any number of processes on the same machine may use the file at once, if it is on
/// a local disk. A process that wants to write waits for up to five seconds while another process is writing. The time
/// at which a record was last used is written together with the next batch of changes.
///
/// The store creates the file and missing parent folders at the first write. Only the user that runs the process can
/// read them.
///
/// Other users cannot insert records, and cannot make the store write to other files. To ensure this, the store checks
/// the folder and its files. The folder must belong to the user that runs the process, must not be a symbolic link, and
/// must not be writable by other users. The same applies to the file and the files beside it, which must also be
/// regular files without other hard links. If a condition is not met, each function throws an error that names the file
/// and the remedy. A read-only store also accepts files that belong to root or to the owner of the program's executable
/// file.
///
/// - If the store detects that the file is damaged or is not a database, it renames the file to `PATH-damaged` and
///   creates a new file. The renamed file is kept so that the damage can be examined. Because it may contain users'
///   data, it is deleted when the store is compacted, and when all records, or all records of one user, are removed.
/// - The store does not change a database that belongs to another program, to an outbox, or to a newer version of this
///   store. With such a database, every function throws an error.
///
/// Removed records may stay in free pages of the file until these pages are used again or ``compact()`` is called. The
/// store never returns such records. If other people might read the file itself, encrypt the records.
///
/// The settings of SQLite and the guarantees for each durability:
///
/// | durability | settings | if the process is killed | if the power fails |
/// |---|---|---|---|
/// | ``SiestaStorage/EntityCacheOptions/Durability/onFlush`` | `journal_mode=WAL`, `synchronous=NORMAL` | keeps every change for which `apply` returned | keeps the changes applied before the last ``flush()``; later batches may be lost, the newest first, but never only a part of a batch |
/// | ``SiestaStorage/EntityCacheOptions/Durability/everyWrite`` | `journal_mode=WAL`, `synchronous=FULL` | keeps every change for which `apply` returned | keeps every change for which `apply` returned |
///
/// With `NORMAL`, SQLite synchronizes with the disk only when it copies its log to the database file, after every 8 MB
/// of changes. It synchronizes the log first, and then the file. A flush makes one commit with `FULL`, which
/// synchronizes the log. On Apple platforms, the store turns on `fullfsync`, because `fsync` alone does not guarantee
/// durability there.
public final class SQLiteRecordStore: RecordStore, QuietRecordStore, ClosableRecordStore {
    /// The file of the database.
    public let url: URL
    private let reader: QueueIsolated<DatabaseReader>
    private let writer: QueueIsolated<DatabaseWriter>

    /// Creates a store. The store does not access the file system before the first read or write.
    ///
    /// - Parameter isReadOnly: True if the store must not write to the database, repair it or create it. In a folder
    ///   with write permission, SQLite may still create the index of its log beside the database.
    public convenience init(
        at url: URL, limits: RecordLimits = RecordLimits(),
        durability: EntityCacheOptions.Durability = .onFlush, isReadOnly: Bool = false
    ) {
        self.init(at: url, for: .cache, limits: limits, durability: durability, isReadOnly: isReadOnly)
    }

    /// Creates the store of an outbox. It evicts nothing, and each change is on disk when ``apply(_:)`` returns.
    convenience init(outboxAt url: URL) {
        self.init(at: url, for: .outbox, limits: RecordLimits(), durability: .everyWrite, isReadOnly: false)
    }

    private init(
        at url: URL, for use: DatabaseUse, limits: RecordLimits, durability: EntityCacheOptions.Durability,
        isReadOnly: Bool
    ) {
        self.url = url
        let file = DatabaseFile(path: url.path, isReadOnly: isReadOnly)
        let (uses, wasOpen) = (Locked(RecentUses()), Locked(false))
        reader = QueueIsolated(label: "Siesta SQLite cache, reading") {
            DatabaseReader(file, isReadOnly: isReadOnly, use, uses: uses, wasOpen: wasOpen)
        }
        writer = QueueIsolated(label: "Siesta SQLite cache, writing") {
            DatabaseWriter(
                file, limits: limits, durability: durability, isReadOnly: isReadOnly, use, uses: uses, wasOpen: wasOpen)
        }
    }

    /// The path of the file.
    public var name: String { url.path }

    /// Returns the records that exist for `keys`, all as of the same point in time.
    ///
    /// - Throws: An error that names the file, if the database cannot be used.
    public func read(_ keys: [RecordKey]) async throws -> [RecordKey: Data] {
        guard !keys.isEmpty else { return [:] }
        return try await reader.run { reader in try reader.read(keys) }
    }

    package func readQuietly(_ keys: [RecordKey]) async throws -> [RecordKey: Data] {
        guard !keys.isEmpty else { return [:] }
        return try await reader.run { reader in try reader.read(keys, isUse: false) }
    }

    /// Makes the changes in one transaction, so that readers see all changes or none.
    ///
    /// If the disk has no room for this transaction, the store makes each change in its own transaction. If there is no
    /// room even for the removal of all records, the store removes the file.
    ///
    /// - Throws: An error that names the file. If the disk is full, some of the changes may have been made.
    public func apply(_ changes: [RecordChange]) async throws {
        do {
            try await writer.run { writer in try writer.apply(changes) }
        } catch let error as SQLiteError where error.isLackOfRoom {
            await reader.run { reader in reader.close() }  // An open file keeps its disk space.
            try await writer.run { writer in try writer.applyOneByOne(changes) }
        }
    }

    /// Waits until all applied changes are on disk. With `everyWrite`, they are on disk already. With
    /// `onFlush`, this function synchronizes SQLite's write-ahead log with the disk once, whatever the number of
    /// changes.
    ///
    /// - Throws: An error that names the file, if the database cannot be used or written.
    public func flush() async throws {
        try await writer.run { writer in try writer.flush() }
    }

    /// Returns the number and the total size of the records, including those that other processes have written. This
    /// takes constant time.
    ///
    /// - Throws: An error that names the file, if the database cannot be used.
    public func usage() async throws -> RecordUsage {
        try await reader.run { reader in try reader.usage() }
    }

    /// Returns the keys of all records, including those that other processes have written.
    ///
    /// - Throws: An error that names the file, if the database cannot be used.
    public func allKeys() async throws -> [RecordKey] {
        try await reader.run { reader in try reader.allKeys() }
    }

    /// Checks the file, and then frees its unused pages (`VACUUM`). During this time, the store needs twice the disk
    /// space, and other tasks can still read. Also deletes a damaged file that the store has renamed.
    ///
    /// - Throws: An error that names the file, if the database cannot be compacted.
    public func compact() async throws {
        try await writer.run { writer in try writer.compact() }
    }

    /// Closes the database until the next use. With its last connection, SQLite copies the log to the file, and removes the
    /// log.
    package func close() async {
        await reader.run { reader in reader.close() }
        await writer.run { writer in writer.close() }
    }
}
#endif
