#if SQLite
import CSQLite
import Foundation
import Isolation
import Siesta

#if canImport(Glibc)
import Glibc
#endif

/// The file of a store's database, and the files that SQLite puts beside it.
///
/// No function of this type opens an existing file, because closing the file would release the locks that connections
/// of this process hold. SQLite opens files by their paths. Therefore other users must not be able to create files in
/// the folder, and no file may be a link or belong to another user.
struct DatabaseFile: Sendable {
    let path: String
    private let isReadOnly: Bool
    private let folderPath: String
    private let name: String

    init(path: String, isReadOnly: Bool = false) {
        (self.path, self.isReadOnly) = (path, isReadOnly)
        let folder = (path as NSString).deletingLastPathComponent
        folderPath = folder.isEmpty ? "." : folder
        name = (path as NSString).lastPathComponent
    }

    private var log: String { name + "-wal" }
    private var index: String { name + "-shm" }
    private var damaged: String { name + "-damaged" }

    /// Returns the path for SQLite, which refuses paths with links; nil if the file does not exist.
    ///
    /// - Throws: the reason, if the file, a file beside it or their folder must not be used.
    func location() throws(SQLiteError) -> String? {
        guard let folder = try openFolder(), folder.has(name) else { return nil }
        return try using(folder) { (folder) throws(FileSystemError) in
            for name in [name, log, index, name + "-journal"] { try folder.checkFile(name) }
            if !isReadOnly { for name in [name, log, index] { folder.hideFile(name) } }
            return folder.realPath(of: name)
        }
    }

    /// True if the log may contain changes that are not in the file yet.
    var hasLog: Bool { (try? openFolder()?.size(of: log)) ?? 0 > 0 }

    /// Creates an empty file that only its owner may read, and missing parent folders. Does nothing if the file exists.
    func make() throws(SQLiteError) {
        if try openFolder() == nil { try makeFolder(folderPath) }
        guard let folder = try openFolder() else { throw failure("Its folder was removed") }
        guard !folder.has(name) else { return }
        try using(folder) { (folder) throws(FileSystemError) in
            do throws(FileSystemError) {
                try folder.makeFile(name)
            } catch {
                if error.code != EEXIST { throw error }  // Another process has created the file first.
            }
        }
    }

    private func makeFolder(_ folder: String) throws(SQLiteError) {
        guard mkdir(folder, 0o700) != 0, errno != EEXIST else { return }
        let parent = (folder as NSString).deletingLastPathComponent
        guard errno == ENOENT, parent != folder, !parent.isEmpty else { throw failure("Cannot create its folder") }
        try makeFolder(parent)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure("Cannot create its folder") }
        synchronizeFolder(parent)
    }

    /// Makes the entry of a new folder survive a power failure. SQLite does this for its own files.
    private func synchronizeFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Renames a damaged database, so that it can be examined. Does nothing if another thread or process has already
    /// renamed it.
    ///
    /// - Parameter isInPlace: returns true if the file at the path is still the damaged file.
    func putAside(if isInPlace: () -> Bool) throws(SQLiteError) {
        try replacing { (folder) throws(FileSystemError) in
            guard isInPlace() else { return }
            _ = try? folder.remove(log)
            _ = try? folder.remove(index)
            do throws(FileSystemError) {
                try folder.move(name, to: folder, as: damaged)
            } catch {
                if error.code != ENOENT { throw error }
            }
        }
        SiestaLog.log(
            .cache,
            ["SQLite cache \(path): was damaged; it was renamed to \(path)-damaged, and an empty one was created"])
    }

    /// Removes a damaged database that has been renamed.
    func removeDamaged() {
        _ = try? openFolder()?.remove(damaged)
    }

    /// Removes the database and all files beside it.
    func removeAll() throws(SQLiteError) {
        try replacing { (folder) throws(FileSystemError) in
            for name in [log, index, damaged] { _ = try? folder.remove(name) }
            try folder.remove(name)
        }
    }

    private func failure(_ what: String) -> SQLiteError {
        SQLiteError(code: SQLITE_CANTOPEN, "\(what): \(String(cString: strerror(errno)))", path: path)
    }

    /// Opens the folder; nil if the folder does not exist.
    private func openFolder() throws(SQLiteError) -> Folder? {
        do throws(FileSystemError) {
            return try Folder.open(folderPath, isReadOnly ? .installed : .own)
        } catch {
            throw SQLiteError(code: SQLITE_CANTOPEN, error.localizedDescription, path: path)
        }
    }

    private func using<Result>(
        _ folder: Folder, _ work: (Folder) throws(FileSystemError) -> Result
    ) throws(SQLiteError) -> Result {
        do throws(FileSystemError) {
            return try work(folder)
        } catch {
            throw SQLiteError(code: SQLITE_CANTOPEN, error.localizedDescription, path: path)
        }
    }

    /// Runs `work` so that two threads or processes do not mistake each other's new database for the damaged database.
    /// Locks the folder. If this is impossible, only excludes other threads of this process.
    private func replacing(_ work: (Folder) throws(FileSystemError) -> Void) throws(SQLiteError) {
        let result: Result<Void, SQLiteError> = Self.replacing.withLock { _ in
            Result { () throws(SQLiteError) in
                guard let folder = try openFolder() else { return }
                try folder.whileLocked { () throws(SQLiteError) in try using(folder, work) }
            }
        }
        try result.get()
    }

    /// The lock has a value because a value without a size, such as `()`, would have the address of the lock, and would
    /// confuse the thread sanitizer.
    private static let replacing = Locked(false)
}
#endif
