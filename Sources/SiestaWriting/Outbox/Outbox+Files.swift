import Foundation
import Isolation
import SiestaCore

/// The files that are bodies of changes.
extension Outbox {
    /// Returns a file as the body of a new entry: a copy, or the file itself, with its present length and time.
    func body(of file: URL, isCopied: Bool) async throws -> Outbox.Body {
        if isCopied { return try await store.keep(fileAt: file) }
        let status = try FileDescriptor.statusOfFile(at: file)
        return .referenced(path: file.path, length: Int64(status.size), modified: status.modificationTime)
    }
}

extension SegmentedBody.Segment {
    /// Opens a file that must be the same as when its length and time were noted. If no time is given, only the length
    /// counts.
    static func file(_ path: String, length: Int64, modified: Int64? = nil) throws -> Self {
        let url = URL(fileURLWithPath: path)
        let status = try FileDescriptor.statusOfFile(at: url)
        guard Int64(status.size) == length, modified ?? status.modificationTime == status.modificationTime else {
            throw RequestError.Failure.unreadableBody(url, CocoaError(.fileReadCorruptFile))
        }
        return try .file(url)
    }
}

extension FileDescriptor {
    /// Returns the properties of a regular file.
    fileprivate static func statusOfFile(at url: URL) throws -> FileStatus {
        guard let status = FileStatus(at: url.path), status.isFile else {
            throw RequestError.Failure.unreadableBody(url, POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
        }
        return status
    }
}
