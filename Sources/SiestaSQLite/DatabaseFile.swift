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
struct DatabaseFile: Sendable {
    let path: String

    private var log: String { path + "-wal" }
    private var index: String { path + "-shm" }
    private var damaged: String { path + "-damaged" }

    var exists: Bool { access(path, F_OK) == 0 }

    /// Whether there may be changes that have not got into the file yet.
    var hasLog: Bool {
        var status = stat()
        return stat(log, &status) == 0 && status.st_size > 0
    }

    /// Makes an empty file that its owner alone may read, and the folders above it, unless they are there.
    func make() throws(SQLiteError) {
        guard !exists else { return }
        try makeFolder((path as NSString).deletingLastPathComponent)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 || errno == EEXIST else { throw failure("Cannot be created") }
        if file >= 0 { close(file) }
    }

    private func makeFolder(_ folder: String) throws(SQLiteError) {
        guard !folder.isEmpty, mkdir(folder, 0o700) != 0, errno != EEXIST else { return }
        let parent = (folder as NSString).deletingLastPathComponent
        guard errno == ENOENT, parent != folder else { throw failure("Cannot create its folder") }
        try makeFolder(parent)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure("Cannot create its folder") }
        synchronizeFolder(parent.isEmpty ? "." : parent)
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
        let isTaken: Bool = replacing {
            guard isInPlace() else { return true }
            unlink(log)
            unlink(index)
            return rename(path, damaged) == 0 || errno == ENOENT
        }
        guard isTaken else { throw failure("Is damaged, and cannot be put aside") }
        SiestaLog.log(.cache, ["SQLite cache \(path): was damaged, is now \(damaged), and begins anew"])
    }

    /// Removes a damaged database that was put aside.
    func removeDamaged() {
        unlink(damaged)
    }

    /// Removes everything.
    func removeAll() throws(SQLiteError) {
        let isRemoved: Bool = replacing {
            unlink(log)
            unlink(index)
            unlink(damaged)
            return unlink(path) == 0 || errno == ENOENT
        }
        guard isRemoved else { throw failure("Cannot be removed") }
    }

    private func failure(_ what: String) -> SQLiteError {
        SQLiteError(code: SQLITE_CANTOPEN, "\(what): \(String(cString: strerror(errno)))", path: path)
    }

    /// So that neither two threads nor two processes take each other's new database for the damaged one. The lock is on
    /// the folder; where it cannot be had the threads of this process alone are kept apart.
    private func replacing(_ work: () -> Bool) -> Bool {
        Self.replacing.withLock { _ in
            let folder = (path as NSString).deletingLastPathComponent
            let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return work() }
            defer { close(descriptor) }  // and gives the lock back
            while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
            return work()
        }
    }

    /// The thread sanitizer takes a value without a size, such as `()`, for the lock itself.
    private static let replacing = Locked(false)
}
#endif
