#if SQLite
import CSQLite
import Foundation
import Isolation
import SiestaCore

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
        folderPath = FolderPath.parent(of: path)
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
        return try reporting { () throws(FileSystemError) in
            for name in [name, log, index, name + "-journal"] { try folder.checkFile(name) }
            if !isReadOnly { for name in [name, log, index] { folder.hideFile(name) } }
            return folder.realPath(of: name)
        }
    }

    /// True if the log may contain changes that are not in the file yet.
    var hasLog: Bool { (try? openFolder()?.size(of: log)) ?? 0 > 0 }

    /// Creates an empty file that only its owner may read, and missing parent folders. Does nothing if the file exists.
    func make() throws(SQLiteError) {
        if try openFolder() == nil { try makeFolder() }
        guard let folder = try openFolder() else {
            throw SQLiteError(code: SQLITE_CANTOPEN, "Its folder was removed", path: path)
        }
        guard !folder.has(name) else { return }
        try reporting { () throws(FileSystemError) in
            do throws(FileSystemError) {
                try folder.makeFile(name)
            } catch {
                if error.code != EEXIST { throw error }  // Another process has created the file first.
            }
        }
    }

    /// Creates the folder, and makes it survive a power failure. SQLite does this only for its own files.
    private func makeFolder() throws(SQLiteError) {
        for changed in try reporting({ () throws(FileSystemError) in try FolderPath.make(folderPath) }) {
            try? FolderPath.synchronize(changed)
        }
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

    /// Removes a damaged database that has been renamed. Does nothing if the store is for reading only.
    func removeDamaged() {
        guard !isReadOnly else { return }
        _ = try? openFolder()?.remove(damaged)
    }

    /// Removes the database and all files beside it.
    func removeAll() throws(SQLiteError) {
        try replacing { (folder) throws(FileSystemError) in
            for name in [log, index, damaged] { _ = try? folder.remove(name) }
            try folder.remove(name)
        }
    }

    /// Opens the folder; nil if the folder does not exist.
    private func openFolder() throws(SQLiteError) -> Folder? {
        try reporting { () throws(FileSystemError) in try Folder.open(folderPath, isReadOnly ? .installed : .own) }
    }

    /// Runs `work`, and reports its error as an error of the database.
    private func reporting<Result>(_ work: () throws(FileSystemError) -> Result) throws(SQLiteError) -> Result {
        do throws(FileSystemError) {
            return try work()
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
                try folder.whileLocked { () throws(SQLiteError) in
                    try reporting { () throws(FileSystemError) in try work(folder) }
                }
            }
        }
        try result.get()
    }

    /// The lock has a value because a value without a size, such as `()`, would have the address of the lock, and would
    /// confuse the thread sanitizer.
    private static let replacing = Locked(false)
}
#endif
