#if os(Linux)
import Foundation

/// A file as a request body, read on a queue of its own, because disks make their readers wait.
final class FileSource: BodySource {
    /// How many bytes the file had when it was opened.
    let length: Int64
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "CurlTransport.FileSource", qos: .userInitiated)

    /// Opens the file; throws a ``TransportError``.
    init(_ file: URL) throws(TransportError) {
        guard file.isFileURL else { throw TransportError(.file, "Not a file: \(file)") }
        descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
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
        try await perform { lseek(self.descriptor, 0, SEEK_SET) < 0 ? .failure(.file("lseek")) : .success(()) }
    }

    func next() async throws -> Data? {
        let piece = try await perform { self.read() }
        return piece.isEmpty ? nil : piece
    }

    private func read() -> Result<Data, TransportError> {
        var piece = Data(count: Self.pieceLength)
        while true {
            let count = piece.withUnsafeMutableBytes { system_read(descriptor, $0.baseAddress, $0.count) }
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
    /// The failure of a call to the system, by `errno`.
    static func file(_ subject: String) -> TransportError {
        let code = Glibc.errno
        return TransportError(.file, "\(subject): \(String(cString: strerror(code)))", errno: code)
    }
}

/// `read(2)`, whose name a method hides.
private func system_read(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
#endif
