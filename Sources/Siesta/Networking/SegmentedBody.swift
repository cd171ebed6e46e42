import Dispatch
import Foundation

/// A body of segments, which are in memory or in files. Its length is known from the start.
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

    /// The file, if the body consists of one file only.
    var file: URL? {
        guard segments.count == 1, case .file(let url, _) = segments[0] else { return nil }
        return url
    }

    var length: Int64? { segments.reduce(0) { $0 + $1.length } }

    var isRepeatable: Bool { true }

    func makeReader() -> any BodyReader { Reader(segments) }

    /// Reads the segments on its own queue, because reads from disks block.
    private final class Reader: BodyReader, @unchecked Sendable {  // sound: state is touched on `queue` only
        private var rest: ArraySlice<Segment>
        private var file: BodyFile?
        private let queue = DispatchQueue(label: "Siesta.SegmentedBody", qos: .userInitiated)

        init(_ segments: [Segment]) {
            rest = segments[...]
        }

        func next() async throws -> Data? {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result { try self.read() }) }
            }
        }

        private func read() throws -> Data? {
            while true {
                if let piece = try file?.read() { return piece }
                file = nil
                guard let segment = rest.popFirst() else { return nil }
                switch segment {
                case .bytes(let data): if !data.isEmpty { return data }
                case .file(let url, let length): file = try BodyFile(url, length: length)
                }
            }
        }
    }
}

/// An open file that is being sent.
private final class BodyFile {
    let length: Int64
    private let url: URL
    private let descriptor: Int32
    private let modified: timespec
    private var left: Int64

    /// Opens a file. If `expected` is not nil, the file must have that many bytes.
    init(_ url: URL, length expected: Int64? = nil) throws(RequestError.Cause.UnreadableBody) {
        self.url = url
        guard url.isFileURL else { throw .init(file: url, underlyingError: POSIXError(.EINVAL)) }
        // Non-blocking, so that opening does not wait for the writer of a FIFO, which is rejected below.
        descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .init(file: url, underlyingError: POSIXError.last) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .init(file: url, underlyingError: POSIXError(status.isDirectory ? .EISDIR : .EINVAL))
        }
        length = Int64(status.st_size)
        left = length
        modified = status.modified
        guard expected ?? length == length else {
            close(descriptor)
            throw .init(file: url, underlyingError: CocoaError(.fileReadCorruptFile))
        }
    }

    deinit {
        close(descriptor)
    }

    /// Returns the next piece; nil after the length that the file had at the start. Bytes added to the file later are
    /// not sent. Throws if the file was changed, and has not grown: the pieces may then come from two versions.
    func read() throws(RequestError.Cause.UnreadableBody) -> Data? {
        guard left > 0 else {
            guard isUnchanged else { throw .init(file: url, underlyingError: CocoaError(.fileReadCorruptFile)) }
            return nil
        }
        var piece = Data(count: Int(min(Int64(Self.pieceLength), left)))
        while true {
            let count = piece.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .init(file: url, underlyingError: POSIXError.last) }
            guard count > 0 else { throw .init(file: url, underlyingError: CocoaError(.fileReadCorruptFile)) }
            left -= Int64(count)
            return count == piece.count ? piece : piece.prefix(count)
        }
    }

    private var isUnchanged: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int64(status.st_size) <= length else { return true }
        let now = status.modified
        return status.st_size == length && now.tv_sec == modified.tv_sec && now.tv_nsec == modified.tv_nsec
    }

    private static let pieceLength = 256 << 10
}

extension stat {
    fileprivate var isDirectory: Bool { st_mode & S_IFMT == S_IFDIR }

    /// The time at which the content was last changed.
    fileprivate var modified: timespec {
        #if canImport(Darwin)
        st_mtimespec
        #else
        st_mtim
        #endif
    }
}

extension POSIXError {
    /// The error of this thread's last system call.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
