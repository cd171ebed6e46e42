import Foundation
import Isolation

/// A body of segments, each of which is in memory or in a file. The length of the body is known from the start.
struct SegmentedBody: StreamedBody {
    /// A part of the body.
    enum Segment: Sendable {
        case bytes(Data)
        case file(URL, length: Int64)

        var length: Int64 {
            switch self {
            case .bytes(let data): Int64(data.count)
            case .file(_, let length): length
            }
        }

        /// Returns a segment with the current content of a file.
        static func file(_ url: URL) throws(RequestError.Cause.UnreadableBody) -> Segment {
            .file(url, length: try BodyFile(url).length)
        }
    }

    let segments: [Segment]

    /// The file, if the body consists of a single file.
    var file: URL? {
        guard segments.count == 1, case .file(let url, _) = segments[0] else { return nil }
        return url
    }

    var length: Int64? { segments.reduce(0) { $0 + $1.length } }

    var isRepeatable: Bool { true }

    func makeReader() -> any BodyReader { Reader(segments) }

    /// Reads the segments on a separate queue, because reads from disks block.
    private struct Reader: BodyReader {
        private let rest: QueueIsolated<UnreadSegments>

        init(_ segments: [Segment]) {
            rest = QueueIsolated(label: "Siesta.SegmentedBody") { UnreadSegments(segments: segments[...]) }
        }

        func next() async throws -> Data? { try await rest.run { rest in try rest.read() } }
    }
}

/// The part of a body that has not been read yet.
private struct UnreadSegments {
    var segments: ArraySlice<SegmentedBody.Segment>
    var file: BodyFile?

    mutating func read() throws -> Data? {
        while true {
            if let piece = try file?.read() { return piece }
            file = nil
            guard let segment = segments.popFirst() else { return nil }
            switch segment {
            case .bytes(let data): if !data.isEmpty { return data }
            case .file(let url, let length): file = try BodyFile(url, length: length)
            }
        }
    }
}

/// An open file that is being sent.
private final class BodyFile {
    let length: Int64
    private let url: URL
    private let descriptor: Int32
    /// The time of the last modification when the file was opened.
    private let modified: Int64
    private var left: Int64

    /// Opens a file. If `expected` is not nil, the file must have this number of bytes.
    init(_ url: URL, length expected: Int64? = nil) throws(RequestError.Cause.UnreadableBody) {
        self.url = url
        guard url.isFileURL else { throw .init(file: url, underlyingError: POSIXError(.EINVAL)) }
        // Non-blocking, so that opening does not wait for the writer of a FIFO. A FIFO is rejected below.
        descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .init(file: url, underlyingError: POSIXError.last) }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        length = Int64(status.st_size)
        left = length
        modified = status.modificationTime
        // All properties have values. Therefore `deinit` closes the file after an error, too.
        guard isKnown, status.isFile else {
            throw .init(file: url, underlyingError: POSIXError(status.isFolder ? .EISDIR : .EINVAL))
        }
        guard expected ?? length == length else {
            throw .init(file: url, underlyingError: CocoaError(.fileReadCorruptFile))
        }
    }

    deinit {
        close(descriptor)
    }

    /// Returns the next piece; nil after the number of bytes that the file had at the start. Bytes that are added to
    /// the file later are not sent. Throws if the file was changed and has not grown, because the pieces may come from
    /// two versions.
    func read() throws(RequestError.Cause.UnreadableBody) -> Data? {
        guard left > 0 else {
            guard isUnchanged else { throw .init(file: url, underlyingError: CocoaError(.fileReadCorruptFile)) }
            return nil
        }
        var piece = Data(count: Int(min(Int64(Self.pieceLength), left)))
        let count = piece.withUnsafeMutableBytes { bytes in
            uninterrupted { Foundation.read(descriptor, bytes.baseAddress, bytes.count) }
        }
        guard count >= 0 else { throw .init(file: url, underlyingError: POSIXError.last) }
        guard count > 0 else { throw .init(file: url, underlyingError: CocoaError(.fileReadCorruptFile)) }
        left -= Int64(count)
        return count == piece.count ? piece : piece.prefix(count)
    }

    private var isUnchanged: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int64(status.st_size) <= length else { return true }
        return status.st_size == length && status.modificationTime == modified
    }

    private static let pieceLength = 256 << 10
}

extension POSIXError {
    /// The error of this thread's last system call.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
