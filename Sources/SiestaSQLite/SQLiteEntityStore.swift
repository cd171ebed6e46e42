#if SQLite
public import Foundation
public import Siesta

/// A store in a SQLite database: one file, and two files beside it while it is in use.
///
/// Every batch of changes is one transaction. One connection writes and another reads, each on its own queue: reads do
/// not wait for writes, or for the disk during a write. Any number of processes may use the same file at once, on one
/// machine and a local disk. A process that finds another one writing waits for up to five seconds. The times of the
/// last use are written together with the next batch.
///
/// The store creates the file, and missing folders above it, with the first write. Only the user may read them.
///
/// Other users cannot plant records or cause other files to be written. The folder of the file must belong to the
/// process's user, and nobody else may have permission to write to it; it must not be a symbolic link. The same holds
/// for the file and those beside it, which must be regular files with one name. Otherwise each function throws a
/// ``SQLiteError`` that names the file and the remedy. A read-only store also accepts files of the administrator, and
/// of the owner of the program.
///
/// - When damage is detected, the store renames the file to `PATH-damaged` and begins a new one. It does the same with
///   a file that is not a database. Compacting and removing all entities delete the renamed file.
/// - The store does not change a database of another program, or of a newer version of this store; every function
///   throws.
///
/// Removed records may stay in free pages of the file until these pages are used again or ``compact()`` is called, as
/// deleted files stay on a disk. The store never returns them. If others may see the file itself, encrypt the records.
///
/// The settings of SQLite, and their guarantees:
///
/// | durability | settings | app or system process is killed | power fails |
/// |---|---|---|---|
/// | ``Siesta/EntityCacheOptions/Durability/onFlush`` | `journal_mode=WAL`, `synchronous=NORMAL` | keeps every change for which `apply` returned | keeps the changes before the last ``flush()``; of the later batches, keeps the first ones, each completely or not at all |
/// | ``Siesta/EntityCacheOptions/Durability/everyWrite`` | `journal_mode=WAL`, `synchronous=FULL` | the same | keeps every change for which `apply` returned |
///
/// With `NORMAL`, SQLite synchronizes with the disk only when it copies the log to the file, every 8 MB: first the log,
/// then the file. A flush makes one commit with `FULL`, which synchronizes the log. On Apple's systems `fullfsync` is
/// on, since `fsync` alone guarantees nothing there.
public final class SQLiteEntityStore: EntityStore {
    /// The file of the database.
    public let url: URL
    private let reader: Confined<DatabaseReader>
    private let writer: Confined<DatabaseWriter>

    /// Creates a store. It does not access the file system before the first read or write.
    ///
    /// - Parameter isReadOnly: true if the store must not write, repair or create anything. If other processes may
    ///   write to the file meanwhile, SQLite still needs to create an index beside it.
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

    /// The path of the file.
    public var name: String { url.path }

    /// Returns the records of those of `keys` that have one, all as of the same moment.
    ///
    /// - Throws: ``SQLiteError`` if the database cannot be used.
    public func read(_ keys: [EntityStoreKey]) async throws -> [EntityStoreKey: Data] {
        guard !keys.isEmpty else { return [:] }
        return try await reader.run { reader in try reader.read(keys) }
    }

    /// Does the same as ``read(_:)`` on the calling thread, which waits for the disk.
    ///
    /// - Throws: ``SQLiteError`` if the database cannot be used.
    public func readSynchronously(_ keys: [EntityStoreKey]) throws -> [EntityStoreKey: Data] {
        guard !keys.isEmpty else { return [:] }
        return try reader.runWaiting { reader in try reader.read(keys) }
    }

    /// Makes the changes in one transaction, so that readers see all of them or none.
    ///
    /// If the disk has no room for that, the store makes each change in its own transaction. If even the removal of all
    /// entries finds no room, the store removes the file.
    ///
    /// - Throws: ``SQLiteError``.
    public func apply(_ changes: [EntityStoreChange]) async throws {
        do {
            try await writer.run { writer in try writer.apply(changes) }
        } catch let error as SQLiteError where error.isLackOfRoom {
            try await reader.run { reader in reader.close() }  // An open file keeps its disk space.
            try await writer.run { writer in try writer.applyOneByOne(changes) }
        }
    }

    /// Waits until all applied changes are on the disk, which takes one synchronization of one file.
    ///
    /// - Throws: ``SQLiteError``.
    public func flush() async throws {
        try await writer.run { writer in try writer.flush() }
    }

    /// Returns the number and the size of the records, including those of other processes. The time it takes does not
    /// depend on their number.
    ///
    /// - Throws: ``SQLiteError``.
    public func usage() async throws -> EntityStoreUsage {
        try await reader.run { reader in try reader.usage() }
    }

    /// Returns the keys of all records, including those that other processes have written.
    ///
    /// - Throws: ``SQLiteError``.
    public func allKeys() async throws -> [EntityStoreKey] {
        try await reader.run { reader in try reader.allKeys() }
    }

    /// Checks the file, and writes it anew without gaps. Until this is done it takes the same disk space a second time.
    /// Reads continue meanwhile.
    ///
    /// - Throws: ``SQLiteError``.
    public func compact() async throws {
        try await writer.run { writer in try writer.compact() }
    }
}
#endif
