import Dispatch
import Foundation

/// The hidden file to which a download is written until it is complete, and a record of the version of its bytes.
///
/// The record is written before the first byte of a version, and removed before the bytes of the previous version are.
/// Therefore bytes of two versions are never mixed, whenever the process ends. The file is locked, so that no other
/// process writes to it. All work runs on a queue of its own, since disks block their callers. Every error is a
/// ``RequestError/Cause/FileFailure``.
///
/// Other users may have access to the folder. Therefore only the user of this process has access to both files. Links
/// are not followed. A file that belongs to another user, or that has a second name, is neither written nor read. The
/// record contains digests instead of URLs, because URLs may contain passwords and signatures.
final class PartialFile: @unchecked Sendable {  // Sound: only the queue uses the mutable properties.
    /// The point at which the download can resume; nil if it has to start from the beginning.
    let resumePoint: ResumePoint?

    private let target: URL
    private let folder: Folder
    private let names: Names
    /// The digest of the request's URL.
    private let request: String
    private let part: FileDescriptor
    private var isOpen = true
    private var isWorthKeeping: Bool
    private let queue: DispatchQueue

    private struct Record: Codable {
        let request: String
        let validator: StrongValidator
        let total: Int64?

        /// The maximum size of a record, in bytes. A larger file is not a record.
        static let sizeLimit = 64 << 10
    }

    /// Opens or creates the partial file of `target`.
    static func open(for target: URL, requestURL: String) async throws -> PartialFile {
        let queue = DispatchQueue(label: "Siesta.PartialFile", qos: .userInitiated)
        return try await queue.result { try PartialFile(target, requestURL: requestURL, queue) }
    }

    private init(_ target: URL, requestURL: String, _ queue: DispatchQueue) throws {
        (self.target, self.queue) = (target, queue)
        names = Names(target)
        request = SHA256.hexadecimal(of: requestURL)
        guard target.isFileURL else { throw RequestError.Cause.FileFailure(file: target, code: .EINVAL) }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder), isFolder.boolValue {
            throw RequestError.Cause.FileFailure(file: target, code: .EISDIR)
        }
        let size: Int64
        do throws(FileSystemError) {
            folder = try Folder.openShared(names.folder)
            (part, size) = try folder.lockedFile(names.part)
        } catch {
            throw RequestError.Cause.FileFailure(file: target, error)
        }
        let record = Self.record(names.record, in: folder)
        if let record, record.request == request, record.validator.isSendable, size > 0, size < record.total ?? .max {
            resumePoint = ResumePoint(offset: size, validator: record.validator, total: record.total)
        } else {
            resumePoint = nil
        }
        isWorthKeeping = resumePoint != nil
    }

    private static func record(_ name: String, in folder: Folder) -> Record? {
        guard let (file, status) = try? folder.file(name) else { return nil }
        defer { file.close() }
        guard status.st_size <= Record.sizeLimit, let data = try? file.contents(count: Int(status.st_size)) else {
            return nil
        }
        return try? JSONDecoder().decode(Record.self, from: data)
    }

    deinit {
        if isOpen { closeFile() }
    }

    /// Prepares the file for the bytes of a stretch, which are appended to the existing bytes or replace them.
    func begin(_ stretch: DownloadStep.Stretch) async throws {
        try await perform { [self] () throws(FileSystemError) in
            if stretch.offset == 0 {
                try folder.remove(names.record)
                guard ftruncate(part.number, 0) == 0 else { throw FileSystemError("ftruncate", part.path) }
                isWorthKeeping = stretch.validator.map { remember($0, total: stretch.total) } ?? false
            }
            guard lseek(part.number, off_t(stretch.offset), SEEK_SET) == off_t(stretch.offset) else {
                throw FileSystemError("lseek", part.path)
            }
        }
    }

    /// Writes the next bytes of the stretch.
    func write(_ bytes: Data) async throws {
        try await perform { [self] () throws(FileSystemError) in try part.append(bytes) }
    }

    /// Moves the file to its final name in one step, and replaces a file with that name. Gives it the permissions of a
    /// new file. Returns false, and does nothing, if the download was cancelled.
    func complete(_ commitment: Commitment) async throws -> Bool {
        try await perform { [self] () throws(FileSystemError) in
            guard let named = folder.status(of: names.part), named.isSame(as: try part.status()) else {
                throw FileSystemError("rename", part.path, code: EPERM)  // Another process has replaced the file.
            }
            let permissions = try? folder.usualPermissions(tryingOut: "\(names.part).\(UUID().uuidString)")
            let isDone = try commitment.commit { () throws(FileSystemError) in
                try folder.move(names.part, to: folder, as: names.target)
            }
            guard isDone else { return false }
            if let permissions { fchmod(part.number, permissions) }
            _ = try? folder.remove(names.record)
            closeFile()
            return true
        }
    }

    /// Closes the file. If it is not complete, removes it, unless `isKept` is true and a later download can resume it.
    func close(keepingPart isKept: Bool) async {
        await queue.value { [self] in
            guard isOpen else { return }
            if !isKept || !isWorthKeeping || lseek(part.number, 0, SEEK_END) <= 0 {
                _ = try? folder.remove(names.record)
                _ = try? folder.remove(names.part)
            }
            closeFile()
        }
    }

    /// Writes the record. Returns false if that fails; the download continues then, and cannot be resumed later.
    private func remember(_ validator: StrongValidator, total: Int64?) -> Bool {
        let record = Record(request: request, validator: validator, total: total)
        guard let data = try? JSONEncoder().encode(record), let file = try? folder.newFile(names.record) else {
            return false
        }
        defer { file.close() }
        return (try? file.append(data)) != nil
    }

    private func closeFile() {
        flock(part.number, LOCK_UN)  // Closing does not unlock while a child process has a copy.
        part.close()
        isOpen = false
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileSystemError) -> Value
    ) async throws -> Value {
        let target = target
        return try await queue.result {
            do throws(FileSystemError) {
                return try work()
            } catch {
                throw RequestError.Cause.FileFailure(file: target, error)
            }
        }
    }
}

extension RequestError.Cause.FileFailure {
    fileprivate init(file: URL, _ error: FileSystemError) {
        self.init(file: file, code: POSIXErrorCode(rawValue: error.code) ?? .EIO)
    }
}

extension DispatchQueue {
    /// Runs `work` on the queue, and returns its result.
    fileprivate func result<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            async { continuation.resume(with: Result { try work() }) }
        }
    }

    fileprivate func value<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            async { continuation.resume(returning: work()) }
        }
    }
}
