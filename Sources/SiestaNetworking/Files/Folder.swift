import Foundation

/// An open folder. Its entries are accessed by their names relative to its descriptor, and links are never followed. A
/// name always means an entry of this folder, even if the folder's path changes.
package final class Folder: Sendable {
    /// The path by which the folder was opened, for messages.
    package let path: String
    package let number: CInt
    /// The rule for this folder and its entries.
    package let trust: FileTrust
    /// The status of the folder when it was opened.
    private let opened: FileStatus?

    private init(_ number: CInt, _ path: String, _ trust: FileTrust, _ opened: FileStatus? = nil) {
        (self.number, self.path, self.trust, self.opened) = (number, path, trust, opened)
    }

    deinit { close(number) }

    package func path(of name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

    // MARK: Opening

    /// Opens a folder that other users cannot have created and cannot change. Returns nil if there is no such folder.
    ///
    /// The folder itself must not be a link. Links on its path are followed if they belong to a trusted user, or to
    /// root, like `/tmp` on macOS.
    ///
    /// - Throws: the reason, if the folder cannot or must not be used.
    package static func open(_ path: String, _ trust: FileTrust = .own) throws(FileSystemError) -> Folder? {
        let path = FolderPath.normalized(path)
        do throws(FileSystemError) {
            #if os(Linux) || os(Android)
            let above = try FolderPath.open(above: path, trust)
            defer { close(above) }
            return try open(path.split(separator: "/").last.map(String.init) ?? path, at: above, as: path, trust)
            #else
            try FolderPath.checkLinks(onTheWayTo: path, trust)
            return try open(path, at: AT_FDCWD, as: path, trust)
            #endif
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Opens a folder that the app has chosen, even if other users can write to it. Each file in the folder is checked.
    package static func openShared(_ path: String) throws(FileSystemError) -> Folder {
        // A folder that may be searched but not listed has no lock.
        var number = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if number < 0, errno == EACCES { number = Foundation.open(path, Self.searching | O_DIRECTORY | O_CLOEXEC) }
        guard number >= 0 else { throw FileSystemError("open", path) }
        return Folder(number, path, .own)
    }

    /// Opens a folder in this folder. Returns nil if there is no such folder.
    ///
    /// - Throws: the reason, if the folder cannot or must not be used.
    package func folder(_ name: String) throws(FileSystemError) -> Folder? {
        do throws(FileSystemError) {
            return try Self.open(name, at: number, as: path(of: name), trust)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    private static func open(
        _ name: String, at parent: CInt, as path: String, _ trust: FileTrust
    ) throws(FileSystemError) -> Folder {
        let number = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else {
            let failure = FileSystemError("open", path)
            guard let status = FileStatus(of: name, in: parent), !status.isFolder else { throw failure }
            throw FileSystemError("open", path, status.isLink ? .link : .notFolder)
        }
        guard let status = FileStatus(of: number) else {
            defer { close(number) }
            throw FileSystemError("fstat", path)
        }
        if let defect = trust.defect(of: status, as: .folder) {
            close(number)
            throw FileSystemError("open", path, defect)
        }
        return Folder(number, path, trust, status)
    }

    /// The flags to open folders that may be searched but not listed.
    package static var searching: CInt {
        #if os(Linux) || os(Android)
        0o10_000_000  // `O_PATH`, which the C library declares only for programs that request more than POSIX
        #else
        O_RDONLY
        #endif
    }

    /// Returns true if `name` in `parent` still is this folder and may still be used. If `parent` is nil, `name` is a
    /// path.
    package func isStill(_ name: String, in parent: Folder?) -> Bool {
        guard let opened, let named = FileStatus(of: name, in: parent?.number ?? AT_FDCWD) else { return false }
        return named.isSame(as: opened) && trust.defect(of: named, as: .folder) == nil
    }

    // MARK: Entries

    /// Creates a folder that only this user can access, unless there is an entry of that name.
    package func makeFolder(_ name: String) throws(FileSystemError) {
        guard mkdirat(number, name, 0o700) != 0, errno != EEXIST else { return }
        throw FileSystemError("mkdir", path(of: name))
    }

    /// Creates a file that only this user can access.
    ///
    /// - Throws: The error of the system. An existing entry of that name is an error, too.
    package func newFile(_ name: String) throws(FileSystemError) -> FileDescriptor {
        try FileDescriptor(name, in: self, O_RDWR | O_CREAT | O_EXCL)
    }

    /// Opens a regular file that other users cannot have created and cannot change. Returns nil if there is no such
    /// file.
    ///
    /// - Throws: the reason, if the file cannot or must not be used.
    package func file(
        _ name: String, _ flags: CInt = O_RDONLY
    ) throws(FileSystemError) -> (descriptor: FileDescriptor, status: FileStatus)? {
        let file: FileDescriptor
        do throws(FileSystemError) {
            file = try FileDescriptor(name, in: self, flags)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        do throws(FileSystemError) {
            let status = try file.status()
            if let defect = trust.defect(of: status, as: .file) { throw FileSystemError("open", file.path, defect) }
            return (file, status)
        } catch {
            file.close()
            throw error
        }
    }

    /// Returns the status of an entry, without following a link; nil if there is no such entry.
    package func status(of name: String) -> FileStatus? { FileStatus(of: name, in: number) }

    /// Throws the reason not to use an entry as a file. Does nothing if there is no entry.
    package func checkFile(_ name: String) throws(FileSystemError) {
        guard let status = status(of: name), let defect = trust.defect(of: status, as: .file) else { return }
        throw FileSystemError("open", path(of: name), defect)
    }

    /// Throws the reason not to remove a file. Other users' permissions are none.
    package func checkRemoval(_ name: String) throws(FileSystemError) {
        guard let status = status(of: name), let defect = trust.defect(of: status, as: .file) else { return }
        if case .permissions = defect { return }
        throw FileSystemError("unlink", path(of: name), defect)
    }

    /// Creates an empty file that only this user can access.
    ///
    /// - Throws: The error of the system. An existing entry of that name is an error, too.
    package func makeFile(_ name: String) throws(FileSystemError) {
        try newFile(name).close()
    }

    /// Removes all permissions of other users for a file. The caller must have checked the file before.
    package func hideFile(_ name: String) {
        guard let status = status(of: name), status.isFile, status.mode & 0o077 != 0 else { return }
        fchmodat(number, name, mode_t(status.mode & 0o700), 0)
    }

    /// Returns the path of an entry with all links in the folder's path resolved.
    package func realPath(of name: String) -> String {
        #if os(Linux) || os(Android)
        let opened = "/proc/self/fd/\(number)"  // valid even if the folder was moved
        #else
        let opened = path
        #endif
        guard let real = realpath(opened, nil) ?? realpath(path, nil) else { return path(of: name) }
        defer { free(real) }
        let folder = String(cString: real)
        return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// Runs `work` with the folder's lock. On a file system without locks, runs it at once.
    ///
    /// Every user who may read the folder can take and keep the lock. Therefore, after five seconds, `work` runs
    /// without the lock.
    package func whileLocked<Failure>(_ work: () throws(Failure) -> Void) throws(Failure) {
        try whileLocked(attempts: 500, work)
    }

    /// - Parameter attempts: the maximum number of attempts to take the lock, with a delay of a hundredth of a second
    ///   between them.
    package func whileLocked<Failure>(attempts: Int, _ work: () throws(Failure) -> Void) throws(Failure) {
        var (isLocked, left) = (false, attempts)
        while true {
            isLocked = flock(number, LOCK_EX | LOCK_NB) == 0
            left -= 1
            guard !isLocked, errno == EWOULDBLOCK || errno == EINTR, left > 0 else { break }
            usleep(10_000)
        }
        defer { if isLocked { flock(number, LOCK_UN) } }
        try work()
    }

    /// Returns true if there is an entry of that name.
    package func has(_ name: String) -> Bool { status(of: name) != nil }

    /// Returns the size of an entry in bytes; 0 if there is no such entry.
    package func size(of name: String) -> Int { status(of: name)?.size ?? 0 }

    /// Renames an entry. Replaces an existing entry with the new name.
    package func move(_ name: String, to folder: Folder, as newName: String) throws(FileSystemError) {
        guard renameat(number, name, folder.number, newName) != 0 else { return }
        throw FileSystemError("rename", folder.path(of: newName))
    }

    /// Removes an entry that is not a folder. Returns false if there is no entry.
    @discardableResult
    package func remove(_ name: String) throws(FileSystemError) -> Bool {
        guard unlinkat(number, name, 0) != 0 else { return true }
        guard errno == ENOENT else { throw FileSystemError("unlink", path(of: name)) }
        return false
    }

    /// Removes a folder if it is empty.
    package func removeFolder(_ name: String) { unlinkat(number, name, AT_REMOVEDIR) }

    /// Removes an entry and its contents, as far as possible. Removes at most 16 levels of folders, because each level
    /// needs an open descriptor. Links are removed, not followed.
    package func removeTree(_ name: String, depth: Int = 16) {
        guard unlinkat(number, name, 0) != 0, depth > 0 else { return }
        let opened = openat(number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if opened >= 0 {
            let folder = Folder(opened, path(of: name), trust)
            for name in (try? folder.names()) ?? [] { folder.removeTree(name, depth: depth - 1) }
        }
        removeFolder(name)
    }

    package func names() throws(FileSystemError) -> [String] {
        let copy = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)  // a descriptor with its own position
        guard copy >= 0 else {
            guard errno == ENOENT else { throw FileSystemError("open", path) }
            return []
        }
        guard let entries = fdopendir(copy) else {
            defer { close(copy) }
            throw FileSystemError("fdopendir", path)
        }
        defer { closedir(entries) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw FileSystemError("readdir", path) }
        return names
    }

    /// Waits until the names of the entries survive a power failure.
    package func synchronize() throws(FileSystemError) {
        let copy = try FileDescriptor(".", in: self, O_RDONLY | O_DIRECTORY)
        defer { copy.close() }
        try copy.synchronize()
    }
}
