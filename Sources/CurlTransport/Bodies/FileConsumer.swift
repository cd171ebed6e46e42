#if os(Linux) || os(Android)
import Foundation
import Isolation

/// Writes a response body to a file on a separate queue, because writes to disks block.
///
/// The bytes are written to a hidden file in the same folder. When the body is complete, the hidden file gets its final
/// name; after a failure, it is removed. Other users may be able to write to the folder. Therefore the hidden file has
/// an unpredictable name, must not exist before, and is accessible only to the process's user until it is complete. It is
/// locked until it has its final name. If the process is killed, the first download of another process into this folder
/// removes it.
struct FileConsumer: BodyConsumer {
    private let file: QueueIsolated<ReceivedFile>

    init(_ file: URL) {
        self.file = QueueIsolated(label: "CurlTransport.FileConsumer") { ReceivedFile(file) }
    }

    func begin(_ head: ResponseHead) async throws { try await file.run { file in try file.create() } }

    func consume(_ piece: Data) async throws { try await file.run { file in try file.append(piece) } }

    func finish() async throws { try await file.run { file in try file.complete() } }

    func abandon() async { await file.run { file in file.discard() } }
}

/// A file that is being received. Removes an incomplete file when this object is released.
private final class ReceivedFile {
    private let file: URL
    private let partial: String
    private var descriptor: Int32 = -1

    init(_ file: URL) {
        self.file = file
        var start = file.lastPathComponent.prefix(100)
        while start.utf8.count > 100 { start.removeLast() }  // File systems limit the bytes of a name.
        let name = ".\(start).\(UUID().uuidString).part"
        partial = file.deletingLastPathComponent().appendingPathComponent(name).path
    }

    deinit {
        discard()
    }

    func create() throws(TransportError) {
        guard file.isFileURL else { throw TransportError(.file, "Not a file: \(file)") }
        Leftovers.removeOnce(from: file.deletingLastPathComponent().path)
        for _ in 0..<16 {
            descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw .file(partial) }
            flock(descriptor, LOCK_EX)
            if isInPlace(descriptor) { return }
            close(exchange(&descriptor, with: -1))  // Another process has removed the file before it was locked.
        }
        throw .file(partial)
    }

    func append(_ piece: Data) throws(TransportError) {
        var rest = piece[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                uninterrupted { write(descriptor, bytes.baseAddress, bytes.count) }
            }
            guard count > 0 else { throw .file(partial) }
            rest = rest.dropFirst(count)
        }
    }

    func complete() throws(TransportError) {
        let opened = exchange(&descriptor, with: -1)
        // Closing the first descriptor shows late errors of writing; the second one keeps the lock.
        let locked = fcntl(opened, F_DUPFD_CLOEXEC, 0)
        defer { if locked >= 0 { close(locked) } }
        let permissions = locked >= 0 && isInPlace(opened) ? usualPermissions : nil
        if let permissions { fchmod(opened, permissions) }
        guard close(opened) == 0, permissions != nil, rename(partial, file.path) == 0 else {
            defer { unlink(partial) }
            throw .file(file.path)
        }
    }

    func discard() {
        guard descriptor >= 0 else { return }
        close(exchange(&descriptor, with: -1))
        unlink(partial)
    }

    /// Returns true if the file still has its name, and no process has replaced it.
    private func isInPlace(_ opened: Int32) -> Bool {
        var (named, own) = (stat(), stat())
        guard fstat(opened, &own) == 0, lstat(partial, &named) == 0 else { return false }
        guard named.st_ino == own.st_ino, named.st_dev == own.st_dev else {
            errno = EPERM
            return false
        }
        return true
    }

    /// The default permissions of a new file. The process's mask cannot be read without changing it. Therefore this
    /// property creates an empty file and removes it.
    private var usualPermissions: mode_t? {
        let path = partial + "-"
        let opened = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard opened >= 0 else { return nil }
        defer {
            close(opened)
            unlink(path)
        }
        var status = stat()
        return fstat(opened, &status) == 0 ? status.st_mode & 0o777 : nil
    }
}

/// The hidden files that killed processes have left.
private enum Leftovers {
    /// The folders from which this process has removed them.
    private static let folders = Locked<Set<String>>([])
    private static let maximumFolders = 1000

    /// Removes the hidden files of this user that no process has locked, at the first call for a folder. Further calls do
    /// not list the folder, because that takes time proportional to the number of its files.
    static func removeOnce(from folder: String) {
        let isFirst = folders.withLock { folders in
            if folders.count >= maximumFolders { folders = [] }
            return folders.insert(folder).inserted
        }
        guard isFirst else { return }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where isHidden(name) {
            remove("\(folder)/\(name)")
        }
    }

    /// Returns true for the name of an incomplete file, or of the empty file that ``ReceivedFile`` creates to learn the
    /// default permissions.
    private static func isHidden(_ name: String) -> Bool {
        let end = [".part", ".part-"].first { name.hasSuffix($0) }
        guard let end, name.hasPrefix(".") else { return false }
        let start = name.dropLast(end.count)
        return start.dropLast(36).hasSuffix(".") && UUID(uuidString: String(start.suffix(36))) != nil
    }

    private static func remove(_ path: String) {
        let opened = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return }
        defer { close(opened) }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            flock(opened, LOCK_EX | LOCK_NB) == 0
        else { return }
        unlink(path)
    }
}
#endif
