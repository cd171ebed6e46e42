#if SQLite
import CSQLite
import Foundation
import Siesta

#if canImport(Glibc)
import Glibc
#endif

/// The file of a store's database, and those that SQLite puts beside it.
///
/// Nothing here opens a file that exists: closing it would take away the locks that connections of this process hold.
/// SQLite opens files by their paths. So their folder must be one in which nobody else can put files, and none of those
/// that are there may be a link or another user's.
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

    /// The path to open it by: SQLite opens none that leads over a link. Nil if there is no file.
    ///
    /// - Throws: the reason, if the file, one beside it or their folder must not be used.
    func location() throws(SQLiteError) -> String? {
        guard let folder = try openFolder(), folder.has(name) else { return nil }
        return try using(folder) { (folder) throws(FileSystemError) in
            for name in [name, log, index, name + "-journal"] { try folder.checkFile(name) }
            if !isReadOnly { for name in [name, log, index] { folder.hideFile(name) } }
            return folder.realPath(of: name)
        }
    }

    /// Whether there may be changes that have not got into the file yet.
    var hasLog: Bool { (try? openFolder()?.size(of: log)) ?? 0 > 0 }

    /// Makes an empty file that its owner alone may read, and the folders above it, unless they are there.
    func make() throws(SQLiteError) {
        if try openFolder() == nil { try makeFolder(folderPath) }
        guard let folder = try openFolder() else { throw failure("Its folder was removed") }
        guard !folder.has(name) else { return }
        try using(folder) { (folder) throws(FileSystemError) in
            do throws(FileSystemError) {
                try folder.makeFile(name)
            } catch {
                if error.code != EEXIST { throw error }  // Another process was faster.
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

    /// Has the entry of a new folder outlast a failure of power; SQLite does that for its own files.
    private func synchronizeFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Takes a damaged database out of the way, for whoever wants to look at it, unless somebody has done that already.
    ///
    /// - Parameter isInPlace: whether what was found damaged is what is there now.
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
        SiestaLog.log(.cache, ["SQLite cache \(path): was damaged, is now \(path)-damaged, and begins anew"])
    }

    /// Removes a damaged database that was put aside.
    func removeDamaged() {
        _ = try? openFolder()?.remove(damaged)
    }

    /// Removes everything.
    func removeAll() throws(SQLiteError) {
        try replacing { (folder) throws(FileSystemError) in
            for name in [log, index, damaged] { _ = try? folder.remove(name) }
            try folder.remove(name)
        }
    }

    private func failure(_ what: String) -> SQLiteError {
        SQLiteError(code: SQLITE_CANTOPEN, "\(what): \(String(cString: strerror(errno)))", path: path)
    }

    /// The folder; nil if there is none.
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

    /// So that neither two threads nor two processes take each other's new database for the damaged one. The lock is on
    /// the folder; where it cannot be had the threads of this process alone are kept apart.
    private func replacing(_ work: (Folder) throws(FileSystemError) -> Void) throws(SQLiteError) {
        let result: Result<Void, SQLiteError> = Self.replacing.withLock { _ in
            Result { () throws(SQLiteError) in
                guard let folder = try openFolder() else { return }
                try folder.whileLocked { () throws(SQLiteError) in try using(folder, work) }
            }
        }
        try result.get()
    }

    /// The thread sanitizer takes a value without a size, such as `()`, for the lock itself.
    private static let replacing = Locked(false)
}
#endif
