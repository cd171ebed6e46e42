import Foundation
import Isolation
import SiestaCore

/// The hidden file to which a download is written until it is complete, and a record of the version of its bytes.
///
/// The record is written before the first byte of a version, and removed before the bytes of the previous version are
/// removed. Therefore bytes of two versions are never mixed, even if the process ends at any time. The file is locked,
/// so that no other process writes to it. All work runs on a separate queue, because disks block their callers. Every
/// error is a ``RequestError/Failure`` with the code ``RequestError/Code/fileNotWritten``.
///
/// Until a response arrives, the file is closed: hundreds of downloads may wait for their turn, and a process can open
/// few files.
///
/// Other users may have access to the folder. Therefore only the user of this process has access to both files. Links
/// are not followed. A file that belongs to another user, or that has a second name (a hard link), is neither written
/// nor read. The record contains digests instead of URLs, because URLs may contain passwords and signatures.
struct PartialFile: Sendable {
    /// The point at which the download can resume; nil if it must start from the beginning.
    private(set) var resumePoint: ResumePoint?
    /// False if no later download may resume the bytes, because they belong to another user than the record would say.
    var keepsRecord = true
    private let target: URL
    /// The URL of the request, and the user to whom the bytes belong.
    private let request: String
    private let stage = QueueIsolated<Stage>(label: "Siesta.PartialFile") { .waiting }

    private enum Stage {
        /// No response has arrived.
        case waiting
        case open(Part)
        case closed

        var part: Part? {
            if case .open(let part) = self { part } else { nil }
        }
    }

    /// Opens or creates the partial file of `target`, reads the position at which the download can resume, and closes
    /// the file. The first response opens the file again.
    ///
    /// - Parameter principal: The user to whom the bytes belong; nil if they belong to nobody. The server may have the
    ///   same validator for the files of several users.
    static func open(for target: URL, requestURL: String, principal: String? = nil) async throws -> PartialFile {
        // A URL contains no line break.
        let request = [requestURL, principal].compactMap(\.self).joined(separator: "\n")
        var file = PartialFile(target: target, request: request)
        file.resumePoint = try await file.perform { _ throws(FileSystemError) in
            try Part(of: target, request: request).resumePoint
        }
        return file
    }

    private init(target: URL, request: String) {
        (self.target, self.request) = (target, request)
    }

    /// Prepares the file for the bytes of a section. The bytes will be appended to the existing bytes, or replace them.
    ///
    /// If another process has changed the existing bytes since they were requested to be resumed, throws an error.
    func begin(_ section: DownloadStep.Section) async throws {
        try await perform { [self] stage throws(FileSystemError) in
            if case .waiting = stage {
                let part = try Part(of: target, request: request)
                guard section.offset == 0 || part.resumePoint == resumePoint else {
                    throw FileSystemError("open", target.path, code: EAGAIN)
                }
                stage = .open(part)
            }
            try stage.part?.begin(section, recording: keepsRecord)
        }
    }

    /// Writes the next bytes of the section.
    func write(_ bytes: Data) async throws {
        try await perform { stage throws(FileSystemError) in try stage.part?.append(bytes) }
    }

    /// Moves the file to its final name in one step, and replaces a file with that name. Gives it the permissions of a
    /// new file. If the download was cancelled, does nothing and returns false.
    func complete(_ commitment: Commitment) async throws -> Bool {
        try await perform { stage throws(FileSystemError) in
            guard try stage.part?.complete(commitment) == true else { return false }
            stage = .closed
            return true
        }
    }

    /// Closes the file. Removes an incomplete file, unless `isKept` is true and a later download can resume it.
    func close(keepingPart isKept: Bool) async {
        await stage.run { [self] stage in
            if case .waiting = stage, let part = try? Part(of: target, request: request) { stage = .open(part) }
            stage.part?.removeUnlessKept(isKept)
            stage = .closed
        }
    }

    /// Runs `work` on the queue of the file. The function is `@concurrent`, so that its callers return to their actors; see
    /// ``QueueIsolated/run(_:)``.
    @concurrent @discardableResult
    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (inout Stage) throws(FileSystemError) -> Value
    ) async throws(RequestError.Failure) -> Value {
        do throws(FileSystemError) {
            return try await stage.run(work)
        } catch {
            let cause = POSIXError(POSIXErrorCode(rawValue: error.code) ?? .EIO)
            throw RequestError.Failure(.fileNotWritten, file: target, underlyingError: cause)
        }
    }
}
