#if os(Linux) || os(Android)
import Foundation
import Isolation

/// A file as a request body. It is read on a separate queue, because reads from disks block.
///
/// Bytes that are added to the file after it was opened are not sent.
struct FileSource: BodySource {
    /// The length of the file when it was opened, in bytes.
    let length: Int64
    private let file: QueueIsolated<SourceFile>

    /// Opens the file. Throws a ``TransportError`` if the file cannot be opened or is not a regular file.
    init(_ url: URL) throws(TransportError) {
        let file = try SourceFile(url)
        length = file.length
        self.file = QueueIsolated(label: "CurlTransport.FileSource") { file }
    }

    var canRewind: Bool { true }

    func rewind() async throws { await file.run { file in file.offset = 0 } }

    func next() async throws -> Data? { try await file.run { file in try file.read() } }
}

/// An open file that is being sent.
private final class SourceFile {
    let length: Int64
    var offset: Int64 = 0
    private let descriptor: Int32

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

    func read() throws(TransportError) -> Data? {
        let room = Int(min(Int64(Self.pieceLength), length - offset))
        guard room > 0 else { return nil }
        var piece = Data(count: room)
        let count = piece.withUnsafeMutableBytes { bytes in
            uninterrupted { pread(descriptor, bytes.baseAddress, bytes.count, Int(offset)) }
        }
        guard count >= 0 else { throw .file("read") }
        offset += Int64(count)
        return count == 0 ? nil : piece.prefix(count)
    }

    private static let pieceLength = 256 << 10
}

extension TransportError {
    /// Creates the error of a failed system call, from `errno`.
    static func file(_ subject: String) -> TransportError {
        let code = lastErrorNumber
        return TransportError(.file, "\(subject): \(String(cString: strerror(code)))", errno: code)
    }
}

/// The system's `errno`. The property of `TransportError` hides it.
private var lastErrorNumber: CInt { errno }
#endif
