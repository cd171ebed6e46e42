#if os(Linux)
import Foundation

/// A file as a request body, read on its own queue, because reads from disks block.
///
/// Bytes that are added to the file after it was opened are not sent.
final class FileSource: BodySource {
    /// The length of the file when it was opened, in bytes.
    let length: Int64
    private let descriptor: Int32
    private let offset = Locked<Int64>(0)
    private let queue = DispatchQueue(label: "CurlTransport.FileSource", qos: .userInitiated)

    /// Opens the file. Throws a ``TransportError`` if this fails, or if it is not a regular file.
    init(_ file: URL) throws(TransportError) {
        guard file.isFileURL else { throw TransportError(.file, "Not a file: \(file)") }
        descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)  // does not wait for the writer of a FIFO
        guard descriptor >= 0 else { throw .file(file.path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TransportError(.file, "\(file.path) is not a regular file")
        }
        length = Int64(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    var canRewind: Bool { true }

    func rewind() async throws {
        offset.withLock { $0 = 0 }
    }

    func next() async throws -> Data? {
        let start = offset.withLock { $0 }
        let count = Int(min(Int64(Self.pieceLength), length - start))
        guard count > 0 else { return nil }
        let piece = try await perform { self.read(count, at: start) }
        offset.withLock { $0 = start + Int64(piece.count) }
        return piece.isEmpty ? nil : piece
    }

    private func read(_ count: Int, at offset: Int64) -> Result<Data, TransportError> {
        var piece = Data(count: count)
        while true {
            let count = piece.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, Int(offset)) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .failure(.file("read")) }
            return .success(piece.prefix(count))
        }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable () -> Result<Value, TransportError>
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: work()) }
        }
    }

    private static let pieceLength = 256 << 10
}

extension TransportError {
    /// Creates the error of a failed system call, from `errno`.
    static func file(_ subject: String) -> TransportError {
        let code = Glibc.errno
        return TransportError(.file, "\(subject): \(String(cString: strerror(code)))", errno: code)
    }
}
#endif
