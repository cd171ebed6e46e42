import Dispatch
import Foundation

/// A body of bytes in memory and files on disk, one after the other; its length is known from the start.
struct SegmentedBody: StreamedBody {
    /// A stretch of the body.
    enum Segment: Sendable {
        case bytes(Data)
        case file(URL, length: Int64)

        var length: Int64 {
            switch self {
            case .bytes(let data): Int64(data.count)
            case .file(_, let length): length
            }
        }

        /// The present content of a file.
        static func file(_ url: URL) throws(RequestError.Cause.UnreadableBody) -> Segment {
            .file(url, length: try BodyFile(url).length)
        }
    }

    let segments: [Segment]

    /// The only file of a body that has nothing else.
    var file: URL? {
        guard segments.count == 1, case .file(let url, _) = segments[0] else { return nil }
        return url
    }

    var length: Int64? { segments.reduce(0) { $0 + $1.length } }

    var isRepeatable: Bool { true }

    func makeReader() -> any BodyReader { Reader(segments) }

    /// Reads on a queue of its own, because disks make their readers wait.
    private final class Reader: BodyReader, @unchecked Sendable {  // sound: what can change is the queue's alone
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

    /// Opens a file, which must have `expected` bytes if that is given.
    init(_ url: URL, length expected: Int64? = nil) throws(RequestError.Cause.UnreadableBody) {
        self.url = url
        guard url.isFileURL else { throw .init(file: url, underlyingError: POSIXError(.EINVAL)) }
        // Non-blocking: opening does not wait for the writer of a FIFO, which is refused below.
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

    /// The next piece; nil once the length that the file had at first was read. What is added to it later is not sent;
    /// if it was changed and is not longer, what was read may be half of one version and half of another.
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

    /// When the content was changed last.
    fileprivate var modified: timespec {
        #if canImport(Darwin)
        st_mtimespec
        #else
        st_mtim
        #endif
    }
}

extension POSIXError {
    /// The error of the last call to the system on this thread.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
