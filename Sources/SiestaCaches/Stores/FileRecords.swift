import Foundation
import SiestaCore

/// The folders and files of a ``FileRecordStore``.
///
/// ```text
/// folder/entities-1/PARTITION/NAME     a record
/// folder/entities-1/new/…              files being written, folders being removed
/// ```
///
/// Folders stay open between batches. Each batch begins with ``refresh()``, which closes folders that have been
/// replaced. Then they are opened and checked again.
struct FileRecords: Sendable {
    let folder: String
    let isReadOnly: Bool
    private var opened = Opened()
    /// The name of the folder for this version of the file layout. Another version would need another name.
    static let rootName = "entities-1"
    static let newName = "new"
    /// The maximum size of a record, in bytes. A larger file is not a record, and may be an attack.
    private static let sizeLimit = 1 << 30

    private struct Opened {
        var folder, root, new: Folder?
        /// The partition that was used last, and its folder.
        var partition: (key: UInt128, folder: Folder)?
    }

    init(folder: String, isReadOnly: Bool) {
        self.folder = FolderPath.normalized(folder)
        self.isReadOnly = isReadOnly
    }

    /// The path of the root, for messages.
    var rootPath: String { folder + "/" + Self.rootName }

    // MARK: Folders

    /// Closes the folders that are no longer in their places, or that other users may now change.
    mutating func refresh() {
        guard let above = opened.folder, let root = opened.root, above.isStill(folder, in: nil),
            root.isStill(Self.rootName, in: above)
        else { return opened = Opened() }
        if let new = opened.new, !new.isStill(Self.newName, in: root) { opened.new = nil }
        if let (key, partition) = opened.partition, !partition.isStill(key.hexadecimal, in: root) {
            opened.partition = nil
        }
    }

    mutating func close() {
        opened = Opened()
    }

    mutating func forgetPartition() {
        opened.partition = nil
    }

    /// Returns the root; nil if the root does not exist.
    ///
    /// - Throws: the reason if the root must not be used.
    mutating func root() throws(FileSystemError) -> Folder? {
        if let root = opened.root { return root }
        guard let above = try Folder.open(folder, isReadOnly ? .installed : .own),
            let root = try above.folder(Self.rootName)
        else { return nil }
        (opened.folder, opened.root) = (above, root)
        return root
    }

    /// The folder of the store; nil before the root is opened.
    var folderAboveRoot: Folder? { opened.folder }

    /// Returns the folder of a partition; nil if the folder does not exist.
    mutating func partition(_ key: UInt128) throws(FileSystemError) -> Folder? {
        if let (open, folder) = opened.partition, open == key { return folder }
        guard let partition = try root()?.folder(key.hexadecimal) else { return nil }
        opened.partition = (key, partition)
        return partition
    }

    /// Returns the folder for files being written and folders being removed; nil if it does not exist.
    mutating func newFolder() throws(FileSystemError) -> Folder? {
        if let new = opened.new { return new }
        opened.new = try root()?.folder(Self.newName)
        return opened.new
    }

    /// Returns the folder of a partition, and creates it if it is missing.
    mutating func makePartition(_ key: UInt128) throws(FileSystemError) -> Folder {
        if let partition = try partition(key) { return partition }
        let root = try makeRoot()
        try root.makeFolder(key.hexadecimal)
        guard let partition = try partition(key) else { throw missing(root.path(of: key.hexadecimal)) }
        return partition
    }

    /// Returns the folder for files being written and folders being removed, and creates it if it is missing.
    mutating func makeNewFolder() throws(FileSystemError) -> Folder {
        if let new = try newFolder() { return new }
        let root = try makeRoot()
        try root.makeFolder(Self.newName)
        guard let new = try newFolder() else { throw missing(root.path(of: Self.newName)) }
        return new
    }

    private mutating func makeRoot() throws(FileSystemError) -> Folder {
        if let root = try root() { return root }
        // A flush synchronizes the innermost of the changed folders.
        for changed in try FolderPath.make(folder).dropLast() { try? FolderPath.synchronize(changed) }
        try Folder.open(folder)?.makeFolder(Self.rootName)
        guard let root = try root() else { throw missing(rootPath) }
        return root
    }

    /// The error for a folder that was removed immediately after its creation.
    private func missing(_ path: String) -> FileSystemError { FileSystemError("open", path, code: ENOENT) }

    // MARK: Records

    /// - Parameter isUse: false if the time of the last use of the records stays.
    mutating func read(_ keys: [RecordKey], isUse: Bool = true) throws(FileSystemError) -> [RecordKey: Data] {
        refresh()
        var found: [RecordKey: Data] = [:]
        var failure: FileSystemError?
        for key in keys {
            do throws(FileSystemError) {
                found[key] = try read(key, isUse)
            } catch {
                SiestaLog.log(.cache, ["Cannot read a record:", error.localizedDescription])
                failure = error
            }
        }
        if found.isEmpty, let failure { throw failure }
        return found
    }

    private mutating func read(_ key: RecordKey, _ isUse: Bool) throws(FileSystemError) -> Data? {
        guard let (file, status) = try partition(key.partition)?.file(key.name.hexadecimal) else { return nil }
        defer { file.close() }
        guard status.size <= Self.sizeLimit else { throw FileSystemError("read", file.path, code: EFBIG) }
        let data = try file.contents(count: status.size)
        if isUse, !isReadOnly { file.setModificationTime(FileSystem.time) }
        return data
    }

    /// A record's key, its size, and the time of its last use.
    typealias Listed = RecordLimits.Candidate<Int64>

    /// - Parameter isComplete: True if a partition that cannot be listed is an error, and everything with the name of a
    ///   record is listed; false if partitions and records that cannot be read are left out.
    mutating func all(isComplete: Bool = false) throws(FileSystemError) -> [Listed] {
        let now = FileSystem.time
        var result: [Listed] = []
        for key in try partitions() {
            guard let partition = isComplete ? try partition(key) : openedForListing(key) else { continue }
            for name in isComplete ? try partition.names() : (try? partition.names()) ?? [] {
                guard let number = UInt128(hexadecimal: name) else { continue }
                let status = partition.status(of: name)
                guard isComplete || status?.isFile == true else { continue }
                let lastUse = Self.lastUse(dated: status?.modificationTime ?? 0, now: now)
                let key = RecordKey(partition: key, name: number)
                result.append(Listed(key: key, bytes: status?.size ?? 0, lastUse: lastUse))
            }
        }
        return result
    }

    /// Returns the sort key of a last use. If the time is in the future, the clock has been set back since. Then the
    /// record sorts before all others.
    private static func lastUse(dated time: Int64, now: Int64) -> Int64 {
        FileSystem.isInFuture(time, now: now) ? time - .max : time
    }

    /// Opens a partition, or logs why it must not be used. A folder of another user must not stop the listing.
    private mutating func openedForListing(_ key: UInt128) -> Folder? {
        do throws(FileSystemError) {
            return try partition(key)
        } catch {
            SiestaLog.log(.cache, ["Cannot look for records:", error.localizedDescription])
            return nil
        }
    }

    mutating func partitions() throws(FileSystemError) -> [UInt128] {
        try root()?.names().compactMap { UInt128(hexadecimal: $0) } ?? []
    }
}
