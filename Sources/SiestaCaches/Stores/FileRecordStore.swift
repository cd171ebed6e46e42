public import Foundation
import Isolation

/// A store that keeps each record in a file, with a folder for each partition.
///
/// The store writes a record to a new file, which then replaces the old file in one step. Therefore, the store needs no
/// lock, and any number of processes may use the same folder at once. The name of a record's file is derived from the
/// record's key, and the modification time of the file is the time of the last use. Therefore, the store needs no
/// index. The store creates the folder at the first write.
///
/// The following rules ensure that other users cannot insert records, and cannot make the store read, write or remove
/// files outside the folder:
///
/// - The folder must belong to the user that the process runs as, and no other user may have permission to write to it.
///   The folder must not be a symbolic link. Links on its path must belong to that user or to root (the administrator).
///   If a condition is not met, each function throws a `FileSystemError` that names the folder and the remedy. A
///   read-only store also accepts a folder that belongs to root or to the owner of the program's executable file.
/// - Within the folder, the store never follows links. Partition folders and records must satisfy the same rules as the
///   folder. A record must be a regular file with only one hard link. Any other file is treated as a missing record,
///   and is removed when its partition is removed.
///
/// The store does not check access control lists.
public final class FileRecordStore: RecordStore, QuietRecordStore {
    /// The folder that contains the records.
    public let folder: URL
    private let reader: QueueIsolated<FileRecords>
    private let writer: QueueIsolated<FileRecordWriter>

    /// Creates a store. The store does not access the file system before the first read or write.
    public init(
        folder: URL, limits: RecordLimits = RecordLimits(),
        durability: EntityCacheOptions.Durability = .onFlush, isReadOnly: Bool = false
    ) {
        self.folder = folder
        let records = FileRecords(folder: folder.path, isReadOnly: isReadOnly)
        reader = QueueIsolated(label: "Siesta file cache, reading") { records }
        writer = QueueIsolated(label: "Siesta file cache, writing") {
            FileRecordWriter(records, limits: limits, durability: durability)
        }
    }

    /// The folder's path.
    public var name: String { folder.path }

    /// Returns the records that exist for `keys`. Logs and omits records that cannot be read.
    ///
    /// - Throws: An error if a record cannot be read, and no other record is found.
    public func read(_ keys: [RecordKey]) async throws -> [RecordKey: Data] {
        try await reader.run { records in try records.read(keys) }
    }

    package func readQuietly(_ keys: [RecordKey]) async throws -> [RecordKey: Data] {
        try await reader.run { records in try records.read(keys, isUse: false) }
    }

    /// Makes the changes, one file after another. If a change fails, the store still makes the other changes.
    ///
    /// An update reads the stored record, compares it with the expected record, and replaces or removes it only if both
    /// are equal. There is no lock: if another process writes the record between the comparison and the replacement or
    /// removal, the write of that process is lost.
    public func apply(_ changes: [RecordChange]) async throws {
        try await writer.run { writer in try writer.apply(changes) }
    }

    /// Makes the system write all applied changes to disk. The flush takes one system call for each file and folder, or
    /// a single call for the whole file system if there are many files.
    public func flush() async throws {
        try await writer.run { writer in try writer.flush() }
    }

    /// Returns the number and the size of the records, including those that other processes have written.
    public func usage() async throws -> RecordUsage {
        try await writer.run { writer in try writer.countedUsage() }
    }

    /// Returns the keys of all records, including those that other processes have written.
    public func allKeys() async throws -> [RecordKey] { try await allKeys(isComplete: false) }

    /// Returns the keys of all records.
    ///
    /// - Parameter isComplete: True if a partition that cannot be listed is an error; false if it is left out.
    package func allKeys(isComplete: Bool) async throws -> [RecordKey] {
        try await reader.run { records in
            records.refresh()
            return try records.all(isComplete: isComplete).map(\.key)
        }
    }

    /// Removes files that remain from crashed processes, and folders without records.
    public func compact() async throws {
        try await writer.run { writer in try writer.compact() }
    }
}
