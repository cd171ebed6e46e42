package import Foundation
import Isolation

/// An open file that is sent as a body or as a part of a body. Detects that the file changes while it is sent.
package final class BodyFile {
    package let length: Int64
    private let url: URL
    private let descriptor: Int32
    /// The time of the last modification when the file was opened.
    package let modified: Int64
    private var left: Int64

    /// Opens a file. If a length in bytes or a time of modification is given, the file must have it.
    package init(
        _ url: URL, length expected: Int64? = nil, modified time: Int64? = nil
    ) throws(RequestError.Failure) {
        self.url = url
        guard url.isFileURL else { throw .unreadableBody(url, POSIXError(.EINVAL)) }
        // Non-blocking, so that opening does not wait for the writer of a FIFO. A FIFO is rejected below.
        descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadableBody(url, POSIXError.last) }
        let status = FileStatus(of: descriptor)
        length = Int64(status?.size ?? 0)
        left = length
        modified = status?.modificationTime ?? 0
        // All properties have values. Therefore `deinit` closes the file after an error, too.
        guard let status, status.isFile else {
            throw .unreadableBody(url, POSIXError(status?.isFolder == true ? .EISDIR : .EINVAL))
        }
        guard expected ?? length == length, time ?? modified == modified else {
            throw .unreadableBody(url, CocoaError(.fileReadCorruptFile))
        }
    }

    deinit {
        close(descriptor)
    }

    /// Returns the next piece; nil after the number of bytes that the file had at the start. Bytes that are added to
    /// the file later are not sent. Throws if the file was changed and has not grown, because the pieces may come from
    /// two versions.
    package func read() throws(RequestError.Failure) -> Data? {
        guard left > 0 else {
            guard isUnchanged else { throw .unreadableBody(url, CocoaError(.fileReadCorruptFile)) }
            return nil
        }
        var piece = Data(count: Int(min(Int64(Self.pieceLength), left)))
        let count = piece.withUnsafeMutableBytes { bytes in
            uninterrupted { Foundation.read(descriptor, bytes.baseAddress, bytes.count) }
        }
        guard count >= 0 else { throw .unreadableBody(url, POSIXError.last) }
        guard count > 0 else { throw .unreadableBody(url, CocoaError(.fileReadCorruptFile)) }
        left -= Int64(count)
        return count == piece.count ? piece : piece.prefix(count)
    }

    private var isUnchanged: Bool {
        guard let status = FileStatus(of: descriptor), status.size <= length else { return true }
        return status.size == length && status.modificationTime == modified
    }

    private static let pieceLength = 256 << 10
}

extension POSIXError {
    /// The error of this thread's last system call.
    fileprivate static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
