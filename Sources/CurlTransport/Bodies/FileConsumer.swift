#if os(Linux)
import Foundation

/// Writes a response body to a file, on a queue of its own, because disks make their writers wait.
///
/// The bytes go to a hidden file beside the real one, which takes its name once they are complete and is removed
/// otherwise.
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
            let opened = open(self.partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
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
            guard close(opened) == 0, rename(self.partial, self.file.path) == 0 else {
                defer { unlink(self.partial) }
                return .file(self.file.path)
            }
            return nil
        }
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

/// `write(2)`, whose name a method hides.
private func system_write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
#endif
