import Dispatch
import Foundation

/// The file that a download is written to until it is complete, beside the one that it becomes, and a record of the
/// version it is a part of.
///
/// The record is written before the first byte of a version, and removed before the last version's bytes are: whatever
/// ends the process, bytes of two versions never get together. The file is locked, so that no other process writes it
/// meanwhile. All of it happens on a queue of its own, because disks make their callers wait. Every error is a
/// ``RequestError/Cause/FileFailure``.
final class PartialFile: @unchecked Sendable {  // sound: what can change is the queue's alone
    /// Where an earlier download can be resumed.
    let resumePoint: ResumePoint?

    private let target: URL
    private let names: Names
    private let requestURL: String
    private var descriptor: Int32
    private var isWorthKeeping: Bool
    private let queue: DispatchQueue

    private struct Record: Codable {
        let url: String
        let validator: StrongValidator
        let total: Int64?
    }

    /// Opens or creates the file for `target`.
    static func open(for target: URL, requestURL: String) async throws -> PartialFile {
        let queue = DispatchQueue(label: "Siesta.PartialFile", qos: .userInitiated)
        return try await queue.result { try PartialFile(target, requestURL: requestURL, queue) }
    }

    private init(_ target: URL, requestURL: String, _ queue: DispatchQueue) throws {
        (self.target, self.requestURL, self.queue) = (target, requestURL, queue)
        names = Names(target)
        guard target.isFileURL else { throw RequestError.Cause.FileFailure(file: target, code: .EINVAL) }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder), isFolder.boolValue {
            throw RequestError.Cause.FileFailure(file: target, code: .EISDIR)
        }
        let (descriptor, size) = try names.openPart(for: target)
        self.descriptor = descriptor
        let record = try? JSONDecoder().decode(Record.self, from: Data(contentsOf: names.record))
        if let record, record.url == requestURL, size > 0, size < record.total ?? .max {
            resumePoint = ResumePoint(offset: size, validator: record.validator, total: record.total)
        } else {
            resumePoint = nil
        }
        isWorthKeeping = resumePoint != nil
    }

    deinit {
        if descriptor >= 0 { closeDescriptor() }
    }

    /// Makes ready for the bytes of a stretch, which are appended to those that are there, or replace them.
    func begin(_ stretch: DownloadStep.Stretch) async throws {
        try await queue.result { [self] in
            guard stretch.offset == 0 else {
                return try check(lseek(descriptor, off_t(stretch.offset), SEEK_SET) == off_t(stretch.offset))
            }
            unlink(names.record.path)
            try check(ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0)
            isWorthKeeping = stretch.validator.map { remember($0, total: stretch.total) } ?? false
        }
    }

    /// Writes the next bytes.
    func write(_ bytes: Data) async throws {
        try await queue.result { [self] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                try check(count > 0)
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Gives the file its name, in one step, in place of whatever had it.
    func complete() async throws {
        try await queue.result { [self] in
            try check(rename(names.part.path, target.path) == 0)
            unlink(names.record.path)
            closeDescriptor()
        }
    }

    /// Closes the file, unless it is complete. A part with which a later download can go on stays if `isKept`, and
    /// nothing else.
    func close(keepingPart isKept: Bool) async {
        await queue.value { [self] in
            guard descriptor >= 0 else { return }
            if !isKept || !isWorthKeeping || lseek(descriptor, 0, SEEK_END) <= 0 {
                unlink(names.record.path)
                unlink(names.part.path)
            }
            closeDescriptor()
        }
    }

    /// Writes the record. Where that is not possible, the download goes on, and cannot be resumed.
    private func remember(_ validator: StrongValidator, total: Int64?) -> Bool {
        let record = Record(url: requestURL, validator: validator, total: total)
        guard let data = try? JSONEncoder().encode(record) else { return false }
        return (try? data.write(to: names.record, options: .atomic)) != nil
    }

    private func closeDescriptor() {
        flock(descriptor, LOCK_UN)  // closing does not, while a child of this process has yet to let go of its copy
        Foundation.close(descriptor)
        descriptor = -1
    }

    private func check(_ isDone: Bool) throws {
        if !isDone { throw RequestError.Cause.FileFailure(file: target, code: POSIXError.last.code) }
    }
}

extension DispatchQueue {
    /// Runs `work` on the queue, and returns what it returns.
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
