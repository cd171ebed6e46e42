#if os(Linux) || os(Android)
import Foundation
import Isolation

/// Writes a response body to a file on a separate queue, because writes to disks block.
///
/// The bytes are written to a file without a name in the same folder, of which nothing remains if the process is killed.
/// When the body is complete, the file gets its final name. Not all file systems have files without names. On the others, it
/// is a hidden file, which is removed after a failure. Other users may be able to write to the folder. Therefore the
/// hidden file has an unpredictable name, must not exist before, and is accessible only to the process's user until it is
/// complete.
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
    /// The path of the hidden file. A file without a name gets it for a moment, because a link replaces no file.
    private let partial: String
    private var descriptor: Int32 = -1
    private var hasName = false

    init(_ file: URL) {
        self.file = file
        let name = ".\(file.lastPathComponent.prefix(100)).\(UUID().uuidString).part"
        partial = file.deletingLastPathComponent().appendingPathComponent(name).path
    }

    deinit {
        discard()
    }

    func create() throws(TransportError) {
        guard file.isFileURL else { throw TransportError(.file, "Not a file: \(file)") }
        if access("/proc/self/fd", X_OK) == 0 {  // otherwise a file without a name cannot get one
            descriptor = open(file.deletingLastPathComponent().path, O_WRONLY | Self.unnamed | O_CLOEXEC, 0o600)
            guard descriptor < 0 else { return }
        }
        descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(partial) }
        hasName = true
    }

    /// `O_TMPFILE`, which the C library declares only for programs that request more than POSIX.
    private static let unnamed = 0o20_000_000 | O_DIRECTORY

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
        if !hasName { linkat(AT_FDCWD, "/proc/self/fd/\(opened)", AT_FDCWD, partial, AT_SYMLINK_FOLLOW) }
        let permissions = isInPlace(opened) ? usualPermissions : nil
        if let permissions { fchmod(opened, permissions) }
        guard close(opened) == 0, permissions != nil, rename(partial, file.path) == 0 else {
            defer { unlink(partial) }
            throw .file(file.path)
        }
    }

    func discard() {
        guard descriptor >= 0 else { return }
        close(exchange(&descriptor, with: -1))
        if hasName { unlink(partial) }
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
#endif
