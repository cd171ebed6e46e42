public import Foundation

/// A store that keeps each record in a file, with a folder for each partition.
///
/// The store writes a record to a file of another name, which then replaces the old file in one step. So it needs no
/// lock, and any number of processes may use the same folder at once. Nothing is read at the start: a record is found
/// by its name, and the modification time of its file is the time of its last use. The store creates the folder with
/// the first write.
///
/// Other users cannot plant records, and cannot cause files outside the folder to be read, written or removed:
///
/// - The folder must belong to the process's user, and nobody else may have permission to write to it. It must not be a
///   symbolic link, and links on the path to it must belong to that user or the administrator. Otherwise each function
///   throws a ``FileSystemError`` that names the folder and the remedy. A read-only store also accepts a folder of the
///   administrator, and one of the owner of the program.
/// - Within the folder the store never follows links. Partition folders must satisfy the same rules as the folder, and
///   so must records; a record must be a regular file with one name. Everything else is a miss, and is removed with its
///   partition.
///
/// The store does not check access control lists.
public final class FileEntityStore: EntityStore {
    /// The store's folder.
    public let folder: URL
    private let reader: Confined<FileRecords>
    private let writer: Confined<FileRecordWriter>

    /// Creates a store. It does not access the file system before the first read or write.
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

    /// Returns the records of those of `keys` that have one. Records that cannot be read are logged and left out.
    ///
    /// - Throws: the reason, if no record at all can be read.
    public func read(_ keys: [EntityStoreKey]) async throws -> [EntityStoreKey: Data] {
        try await reader.run { records in try records.read(keys) }
    }

    /// Does the same as ``read(_:)`` on the calling thread, which waits for the disk.
    public func readSynchronously(_ keys: [EntityStoreKey]) throws -> [EntityStoreKey: Data] {
        try reader.runWaiting { records in try records.read(keys) }
    }

    /// Makes the changes, one file after the other. If one fails, the others are tried as well.
    ///
    /// An update compares the stored record immediately before it replaces it. There is no lock: if another process
    /// writes between these two system calls, its write is lost.
    public func apply(_ changes: [EntityStoreChange]) async throws {
        try await writer.run { writer in try writer.apply(changes) }
    }

    /// Lets the system write all applied changes to the disk. This takes one call for each file and folder. If there
    /// are many, it takes one call for the whole file system.
    public func flush() async throws {
        try await writer.run { writer in try writer.flush() }
    }

    /// Returns the number and the size of the records, including those of other processes.
    public func usage() async throws -> EntityStoreUsage {
        try await writer.run { writer in try writer.countedUsage() }
    }

    /// Returns the keys of all records, including those that other processes have written.
    public func allKeys() async throws -> [EntityStoreKey] {
        try await reader.run { records in
            records.refresh()
            return try records.all().map(\.key)
        }
    }

    /// Removes files that crashes have left, and folders without records.
    public func compact() async throws {
        try await writer.run { writer in try writer.compact() }
    }
}
