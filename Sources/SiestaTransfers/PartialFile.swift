import Foundation
import Isolation
import SiestaCore

/// The hidden file to which a download is written until it is complete, and a record of the version of its bytes.
///
/// The record is written before the first byte of a version, and removed before the bytes of the previous version are
/// removed. Therefore bytes of two versions are never mixed, even if the process ends at any time. The file is locked,
/// so that no other process writes to it. All work runs on a separate queue, because disks block their callers. Every
/// error is a ``RequestError/Code/fileNotWritten``.
///
/// Other users may have access to the folder. Therefore only the user of this process has access to both files. Links
/// are not followed. A file that belongs to another user, or that has a second name (a hard link), is neither written
/// nor read. The record contains digests instead of URLs, because URLs may contain passwords and signatures.
struct PartialFile: Sendable {
    /// The point at which the download can resume; nil if it must start from the beginning.
    private(set) var resumePoint: ResumePoint?
    private let target: URL
    /// The open file; nil after it was closed.
    private let part = QueueIsolated<Part?>(label: "Siesta.PartialFile") { nil }

    /// Opens or creates the partial file of `target`.
    ///
    /// - Parameter principal: The user to whom the bytes belong; nil if they belong to nobody. The server may have the
    ///   same validator for the files of several users.
    static func open(for target: URL, requestURL: String, principal: String? = nil) async throws -> PartialFile {
        var file = PartialFile(target: target)
        file.resumePoint = try await file.perform { part throws(FileSystemError) in
            // A URL contains no line break.
            let opened = try Part(
                of: target, request: [requestURL, principal].compactMap(\.self).joined(separator: "\n"))
            part = opened
            return opened.resumePoint
        }
        return file
    }

    private init(target: URL) {
        self.target = target
    }

    /// Prepares the file for the bytes of a section. The bytes will be appended to the existing bytes, or replace them.
    func begin(_ section: DownloadStep.Section) async throws {
        try await perform { part throws(FileSystemError) in try part?.begin(section) }
    }

    /// Writes the next bytes of the section.
    func write(_ bytes: Data) async throws {
        try await perform { part throws(FileSystemError) in try part?.append(bytes) }
    }

    /// Moves the file to its final name in one step, and replaces a file with that name. Gives it the permissions of a
    /// new file. If the download was cancelled, does nothing and returns false.
    func complete(_ commitment: Commitment) async throws -> Bool {
        try await perform { part throws(FileSystemError) in
            guard try part?.complete(commitment) == true else { return false }
            part = nil
            return true
        }
    }

    /// Closes the file. Removes an incomplete file, unless `isKept` is true and a later download can resume it.
    func close(keepingPart isKept: Bool) async {
        await part.run { part in part.take()?.removeUnlessKept(isKept) }
    }

    @discardableResult
    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (inout Part?) throws(FileSystemError) -> Value
    ) async throws(RequestError.Cause.FileFailure) -> Value {
        do throws(FileSystemError) {
            return try await part.run(work)
        } catch {
            throw .init(file: target, code: POSIXErrorCode(rawValue: error.code) ?? .EIO)
        }
    }
}
