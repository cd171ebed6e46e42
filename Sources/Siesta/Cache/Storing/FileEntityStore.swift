public import Foundation

/// A store of files: one for each record, in a folder for each partition.
///
/// A record is written to a file of another name, which then takes the place of the old one in one step. So no lock is
/// needed, and any number of processes may use the same folder at once. Nothing is read at the start: a record is found
/// by its name, and when it was used is its file's time of modification. The folder is made when something is written.
///
/// Other users cannot plant records, nor have files outside the folder read, written or removed:
///
/// - The folder must belong to the process's user, and nobody else may have the permission to write to it; it must not
///   be a symbolic link, and links on the way to it must belong to that user or the administrator. If not, each function
///   throws a ``FileSystemError`` that names the folder and the remedy. A store that is read-only also accepts a folder
///   of the administrator, and one of the owner of the program.
/// - Within the folder links are never followed. Folders and records must be as the folder is, and a record must be a
///   regular file with one name; all else is a miss, and is removed with its partition.
///
/// Permissions by access control lists are not looked at.
public final class FileEntityStore: EntityStore {
    /// Where the store is.
    public let folder: URL
    private let reader: Confined<FileRecords>
    private let writer: Confined<FileRecordWriter>

    /// Creates a store; the file system is not touched before the first read or write.
    public init(
        folder: URL, limits: EntityStoreLimits = EntityStoreLimits(),
        durability: EntityCacheOptions.Durability = .onFlush, isReadOnly: Bool = false
    ) {
        self.folder = folder
        let records = FileRecords(folder: folder.path, isReadOnly: isReadOnly)
        reader = Confined(label: "Siesta file cache, reading") { records }
        writer = Confined(label: "Siesta file cache, writing") {
            FileRecordWriter(records, limits: limits, durability: durability)
        }
    }

    /// The folder's path.
    public var name: String { folder.path }

    /// The records of those of `keys` that have one. What cannot be read is logged and left out.
    ///
    /// - Throws: the reason, if nothing at all can be read.
    public func read(_ keys: [EntityStoreKey]) async throws -> [EntityStoreKey: Data] {
        try await reader.run { records in try records.read(keys) }
    }

    /// The same for callers that are not asynchronous, which wait for the disk.
    public func readSynchronously(_ keys: [EntityStoreKey]) throws -> [EntityStoreKey: Data] {
        try reader.runWaiting { records in try records.read(keys) }
    }

    /// Makes the changes, one file after the other, and tries all of them.
    ///
    /// An update looks what is there immediately before it takes its place; without a lock, what another process writes
    /// between these two calls of the system is lost.
    public func apply(_ changes: [EntityStoreChange]) async throws {
        try await writer.run { writer in try writer.apply(changes) }
    }

    /// Has the system write to the disk what was applied: by a call for each file and folder, or one for the file
    /// system if there are many.
    public func flush() async throws {
        try await writer.run { writer in try writer.flush() }
    }

    /// How much is stored, also by other processes.
    public func usage() async throws -> EntityStoreUsage {
        try await writer.run { writer in try writer.countedUsage() }
    }

    /// The keys of all records, also of those that other processes have written.
    public func allKeys() async throws -> [EntityStoreKey] {
        try await reader.run { records in
            records.refresh()
            return try records.all().map(\.key)
        }
    }

    /// Removes what crashes have left, and folders without records.
    public func compact() async throws {
        try await writer.run { writer in try writer.compact() }
    }
}
