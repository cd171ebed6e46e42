#if os(Linux)
import Foundation

/// Writes a response body to a file, on its own queue, because writes to disks block.
///
/// The bytes go to a hidden file in the same folder. It is renamed to the real name when it is complete, and removed
/// otherwise. Other users may be able to write to the folder. The hidden file therefore has an unpredictable name, must
/// not exist before, and is accessible only to the process's user until it is complete.
final class FileConsumer: BodyConsumer {
    private let file: URL
    private let partial: String
    private let descriptor = Locked<Int32>(-1)
    private let queue = DispatchQueue(label: "CurlTransport.FileConsumer", qos: .userInitiated)

    init(_ file: URL) {
        self.file = file
        let name = ".\(file.lastPathComponent.prefix(100)).\(UUID().uuidString).part"
        partial = file.deletingLastPathComponent().appendingPathComponent(name).path
    }

    deinit {
        discard()
    }

    func begin(_ head: ResponseHead) async throws {
        try await perform {
            guard self.file.isFileURL else { return TransportError(.file, "Not a file: \(self.file)") }
            let opened = open(self.partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard opened >= 0 else { return .file(self.partial) }
            self.descriptor.withLock { $0 = opened }
            return nil
        }
    }

    func consume(_ piece: Data) async throws {
        try await perform { self.write(piece) }
    }

    func finish() async throws {
        try await perform {
            let opened = self.descriptor.withLock { descriptor in
                defer { descriptor = -1 }
                return descriptor
            }
            let permissions = self.isInPlace(opened) ? self.usualPermissions : nil
            if let permissions { fchmod(opened, permissions) }
            guard close(opened) == 0, permissions != nil, rename(self.partial, self.file.path) == 0 else {
                defer { unlink(self.partial) }
                return .file(self.file.path)
            }
            return nil
        }
    }

    /// Returns true if the file still has its name, and nobody has replaced it by another file.
    private func isInPlace(_ opened: Int32) -> Bool {
        var (named, own) = (stat(), stat())
        guard fstat(opened, &own) == 0, lstat(partial, &named) == 0 else { return false }
        guard named.st_ino == own.st_ino, named.st_dev == own.st_dev else {
            errno = EPERM
            return false
        }
        return true
    }

    /// The default permissions of a new file. The process's mask cannot be read without changing it, so this creates an
    /// empty file and removes it again.
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

    func abandon() async {
        try? await perform {
            self.discard()
            return nil
        }
    }

    private func write(_ piece: Data) -> TransportError? {
        let opened = descriptor.withLock { $0 }
        var rest = piece[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { system_write(opened, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .file(partial) }
            rest = rest.dropFirst(count)
        }
        return nil
    }

    private func discard() {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            close(descriptor)
            unlink(partial)
            descriptor = -1
        }
    }

    private func perform(_ work: @escaping @Sendable () -> TransportError?) async throws {
        let error = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
        if let error { throw error }
    }
}

/// Calls `write(2)`, whose name a method hides.
private func system_write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
#endif
