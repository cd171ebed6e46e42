#if SQLite
public import Foundation
public import Siesta

/// A store in a SQLite database: one file, and two beside it while it is in use.
///
/// Every batch of changes is one transaction. One connection writes and another reads, each on a queue of its own, so
/// that reads wait neither for writes nor for the disk that these wait for. Any number of processes may use the same
/// file at once, on one machine and a local disk; one that finds another writing waits for up to five seconds. When
/// records were last used is written together with the next batch.
///
/// The file, and the folders above it, are made at the first write, for the user's eyes only.
///
/// Other users cannot plant records or have other files written: the folder of the file must belong to the process's
/// user, and nobody else may have the permission to write to it; it must not be a symbolic link. The same holds for the
/// file and those beside it, which must be regular files with one name. If not, each function throws a ``SQLiteError``
/// that names the file and the remedy. A store that is read-only also accepts files of the administrator, and of the
/// owner of the program.
///
/// - A damaged file is renamed to `PATH-damaged`, and a new one begun, whenever the damage shows; compacting and
///   removing all entities removes it. So is a file that is no database at all.
/// - A database of another program, or of a newer version of this store, is left as it is, and every function throws.
///
/// What was removed may stay in free pages of the file until these are used again or ``compact()`` is called, as what
/// was deleted stays on a disk. Nobody gets to see it through the store; where the file itself may be seen, encrypt
/// what is in it.
///
/// What SQLite is told, and what that promises:
///
/// | durability | settings | app or system process is killed | power fails |
/// |---|---|---|---|
/// | ``Siesta/EntityCacheOptions/Durability/onFlush`` | `journal_mode=WAL`, `synchronous=NORMAL` | what `apply` returned for is there | what came before the last ``flush()`` is there, and of what came later the first so many batches, all or none of each |
/// | ``Siesta/EntityCacheOptions/Durability/everyWrite`` | `journal_mode=WAL`, `synchronous=FULL` | the same | what `apply` returned for is there |
///
/// With `NORMAL` SQLite synchronizes with the disk only when the log goes into the file, each 8 MB, first the log and
/// then the file; a flush makes one commit with `FULL`, which synchronizes the log. On Apple's systems `fullfsync` is
/// on, since `fsync` alone is no promise there.
public final class SQLiteEntityStore: EntityStore {
    /// The file of the database.
    public let url: URL
    private let reader: Confined<DatabaseReader>
    private let writer: Confined<DatabaseWriter>

    /// Creates a store; the file system is not touched before the first read or write.
    ///
    /// - Parameter isReadOnly: whether nothing is written, repaired or created. If others may write to the file
    ///   meanwhile, SQLite still needs to create an index beside it.
    public init(
        at url: URL, limits: EntityStoreLimits = EntityStoreLimits(),
        durability: EntityCacheOptions.Durability = .onFlush, isReadOnly: Bool = false
    ) {
        self.url = url
        let file = DatabaseFile(path: url.path, isReadOnly: isReadOnly)
        let uses = Locked(RecentUses())
        reader = Confined(label: "Siesta SQLite cache, reading") {
            DatabaseReader(file, isReadOnly: isReadOnly, uses: uses)
        }
        writer = Confined(label: "Siesta SQLite cache, writing") {
            DatabaseWriter(file, limits: limits, durability: durability, isReadOnly: isReadOnly, uses: uses)
        }
    }

    /// The file's path.
    public var name: String { url.path }

    /// The records of those of `keys` that have one, all as of the same moment.
    ///
    /// - Throws: ``SQLiteError`` if the database cannot be used.
    public func read(_ keys: [EntityStoreKey]) async throws -> [EntityStoreKey: Data] {
        guard !keys.isEmpty else { return [:] }
        return try await reader.run { reader in try reader.read(keys) }
    }

    /// The same for callers that are not asynchronous, which wait for the disk.
    ///
    /// - Throws: ``SQLiteError`` if the database cannot be used.
    public func readSynchronously(_ keys: [EntityStoreKey]) throws -> [EntityStoreKey: Data] {
        guard !keys.isEmpty else { return [:] }
        return try reader.runWaiting { reader in try reader.read(keys) }
    }

    /// Makes the changes, all at once for whoever reads.
    ///
    /// If there is no room for that, each of them is tried by itself; and if there is none even for removing
    /// everything, the file goes.
    ///
    /// - Throws: ``SQLiteError``.
    public func apply(_ changes: [EntityStoreChange]) async throws {
        do {
            try await writer.run { writer in try writer.apply(changes) }
        } catch let error as SQLiteError where error.isLackOfRoom {
            try await reader.run { reader in reader.close() }  // A file that is open keeps its room.
            try await writer.run { writer in try writer.applyOneByOne(changes) }
        }
    }

    /// Waits until everything that was applied is on the disk: one synchronization of one file.
    ///
    /// - Throws: ``SQLiteError``.
    public func flush() async throws {
        try await writer.run { writer in try writer.flush() }
    }

    /// How much is stored, also by other processes; takes no longer if it is much.
    ///
    /// - Throws: ``SQLiteError``.
    public func usage() async throws -> EntityStoreUsage {
        try await reader.run { reader in try reader.usage() }
    }

    /// The keys of all records, also of those that other processes have written.
    ///
    /// - Throws: ``SQLiteError``.
    public func allKeys() async throws -> [EntityStoreKey] {
        try await reader.run { reader in try reader.allKeys() }
    }

    /// Checks the file, and writes it anew without gaps, which takes as much space once more until it is done. Reads go
    /// on meanwhile.
    ///
    /// - Throws: ``SQLiteError``.
    public func compact() async throws {
        try await writer.run { writer in try writer.compact() }
    }
}
#endif
