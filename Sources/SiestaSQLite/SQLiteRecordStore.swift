#if SQLite
public import Foundation
import Isolation
public import SiestaCaches

/// A store in a SQLite database: a file, and two files beside it while it is in use.
///
/// Every batch of changes is one transaction. One connection writes and another reads, each on its own queue. Reads
/// therefore do not wait for writes, or for the disk during a write. Any number of processes may use the same file at
/// once, on one machine and a local disk. If another process is writing, a process waits for up to five seconds. The
/// times of the last use are written together with the next batch.
///
/// The store creates the file and missing parent folders at the first write. Only the process's user may read them.
///
/// Other users cannot insert records, and cannot make the store write to other files. The folder of the file must
/// belong to the process's user, and no other user may have permission to write to it. It must not be a symbolic link.
/// The same applies to the file and the files beside it, which must be regular files with one name. If a condition is
/// not met, each function throws an error that names the file and the remedy. A read-only store also accepts
/// files of root, and of the owner of the program's executable file.
///
/// - When damage is detected, the store renames the file to `PATH-damaged` and creates a new file. It does the same
///   with a file that is not a database. The renamed file is kept so that the damage can be examined. As it may contain
///   the data of users, it is deleted when the store is compacted, and when all entities, or those of a user, are
///   removed.
/// - The store does not change a database of another program, of an outbox, or of a newer version of this store. In
///   this case, every function throws.
///
/// Removed records may stay in free pages of the file until these pages are used again or ``compact()`` is called. The
/// store never returns such records. If other people may read the file itself, encrypt the records.
///
/// The settings of SQLite, and their guarantees:
///
/// | durability | settings | app or system process is killed | power fails |
/// |---|---|---|---|
/// | ``SiestaStorage/EntityCacheOptions/Durability/onFlush`` | `journal_mode=WAL`, `synchronous=NORMAL` | keeps every change for which `apply` returned | keeps the changes before the last ``flush()``; of the later batches, keeps the first ones, each completely or not at all |
/// | ``SiestaStorage/EntityCacheOptions/Durability/everyWrite`` | `journal_mode=WAL`, `synchronous=FULL` | the same | keeps every change for which `apply` returned |
///
/// With `NORMAL`, SQLite synchronizes with the disk only when it copies the log to the file, every 8 MB: first the log,
/// then the file. A flush makes one commit with `FULL`, which synchronizes the log. On Apple's systems, `fullfsync` is
/// on, because `fsync` alone does not guarantee durability there.
public final class SQLiteRecordStore: RecordStore {
    /// The file of the database.
    public let url: URL
    private let reader: QueueIsolated<DatabaseReader>
    private let writer: QueueIsolated<DatabaseWriter>

    /// Creates a store. The store does not access the file system before the first read or write.
    ///
    /// - Parameter isReadOnly: true if the store must not write to the database, repair it or create it. In a folder
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
        let uses = Locked(RecentUses())
        reader = QueueIsolated(label: "Siesta SQLite cache, reading") {
            DatabaseReader(file, isReadOnly: isReadOnly, use, uses: uses)
        }
        writer = QueueIsolated(label: "Siesta SQLite cache, writing") {
            DatabaseWriter(file, limits: limits, durability: durability, isReadOnly: isReadOnly, use, uses: uses)
        }
    }

    /// The path of the file.
    public var name: String { url.path }

    /// Returns the records that exist for `keys`, all as of the same point in time.
    ///
    /// - Throws: An error that names the file if the database cannot be used.
    public func read(_ keys: [RecordKey]) async throws -> [RecordKey: Data] {
        guard !keys.isEmpty else { return [:] }
        return try await reader.run { reader in try reader.read(keys) }
    }

    /// Makes the changes in one transaction, so that readers see all changes or none.
    ///
    /// If the disk has no room for this transaction, the store makes each change in its own transaction. If there is no
    /// room even for the removal of all records, the store removes the file.
    ///
    /// - Throws: An error that names the file.
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
    /// - Throws: An error that names the file.
    public func flush() async throws {
        try await writer.run { writer in try writer.flush() }
    }

    /// Returns the number and the size of the records, including those of other processes, in constant time.
    ///
    /// - Throws: An error that names the file.
    public func usage() async throws -> RecordUsage {
        try await reader.run { reader in try reader.usage() }
    }

    /// Returns the keys of all records, including those that other processes have written.
    ///
    /// - Throws: An error that names the file.
    public func allKeys() async throws -> [RecordKey] {
        try await reader.run { reader in try reader.allKeys() }
    }

    /// Checks the file, and then frees its unused pages (`VACUUM`). During this time, the store needs twice the disk
    /// space. Reads continue. Also deletes a damaged file that the store has renamed.
    ///
    /// - Throws: An error that names the file.
    public func compact() async throws {
        try await writer.run { writer in try writer.compact() }
    }
}
#endif
