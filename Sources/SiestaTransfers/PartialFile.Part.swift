import Foundation
import JSONCoding
import SiestaCore

extension PartialFile {
    /// The open file. It is unlocked and closed when this object is released.
    final class Part {
        let resumePoint: ResumePoint?
        private let folder: Folder
        private let names: Names
        /// The digest of the request's URL and principal.
        private let request: String
        private let file: FileDescriptor
        private var isWorthKeeping: Bool

        private struct Record: Codable {
            let request: String
            let validator: StrongValidator
            let total: Int64?

            /// The maximum size of a record, in bytes. A larger file is not a record.
            static let sizeLimit = 64 << 10
        }

        init(of target: URL, request: String) throws(FileSystemError) {
            names = Names(target)
            let request = SHA256.hexadecimal(of: request)
            self.request = request
            guard target.isFileURL else { throw FileSystemError("open", target.path, code: EINVAL) }
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder), isFolder.boolValue {
                throw FileSystemError("open", target.path, code: EISDIR)
            }
            folder = try Folder.openShared(names.folder)
            let size: Int64
            (file, size) = try folder.lockedFile(names.part)
            if let record = Self.record(names.record, in: folder), record.validator.isSendable, size > 0,
                size < record.total ?? .max
            {
                // The bytes of another request stay until those of this one replace them.
                let point = ResumePoint(offset: size, validator: record.validator, total: record.total)
                (resumePoint, isWorthKeeping) = (record.request == request ? point : nil, true)
            } else {
                (resumePoint, isWorthKeeping) = (nil, false)
            }
        }

        deinit {
            // The lock must be released explicitly: if a child process has a copy of the descriptor, closing does not
            // release it.
            flock(file.number, LOCK_UN)
            file.close()
        }

        func begin(_ section: DownloadStep.Section, recording isRecorded: Bool) throws(FileSystemError) {
            if section.offset == 0 {
                try folder.remove(names.record)
                guard ftruncate(file.number, 0) == 0 else { throw FileSystemError("ftruncate", file.path) }
                isWorthKeeping =
                    isRecorded && section.validator.map { writeRecord(with: $0, total: section.total) } ?? false
            }
            guard lseek(file.number, off_t(section.offset), SEEK_SET) == off_t(section.offset) else {
                throw FileSystemError("lseek", file.path)
            }
        }

        func append(_ bytes: Data) throws(FileSystemError) { try file.append(bytes) }

        func complete(_ commitment: Commitment) throws(FileSystemError) -> Bool {
            guard isFolderInPlace else { throw FileSystemError("rename", file.path, code: ENOENT) }
            guard file.isStill(names.part, in: folder) else {
                throw FileSystemError("rename", file.path, code: EPERM)  // Another process has replaced the file.
            }
            let permissions = try? folder.usualPermissions(tryingOut: names.trial)
            // After a power failure, the name must not lead to a part of the file: it may have replaced a complete one.
            try file.synchronize()
            let isDone = try commitment.commit { () throws(FileSystemError) in
                try folder.move(names.part, to: folder, as: names.target)
            }
            guard isDone else { return false }
            if let permissions { fchmod(file.number, mode_t(permissions)) }
            _ = try? folder.remove(names.record)
            return true
        }

        /// False if the folder was moved or removed after it was opened. A file in it is not at the target. The path may lead
        /// through links, unlike in ``Folder/isStill(_:in:)``.
        private var isFolderInPlace: Bool {
            guard let named = FileStatus(at: names.folder), let opened = FileStatus(of: folder.number) else {
                return false
            }
            return named.isSame(as: opened)
        }

        func removeUnlessKept(_ isKept: Bool) {
            guard !isKept || !isWorthKeeping || lseek(file.number, 0, SEEK_END) <= 0 else { return }
            _ = try? folder.remove(names.record)
            _ = try? folder.remove(names.part)
        }

        private static func record(_ name: String, in folder: Folder) -> Record? {
            guard let (file, status) = try? folder.file(name) else { return nil }
            defer { file.close() }
            guard status.size <= Record.sizeLimit, let data = try? file.contents(count: status.size) else {
                return nil
            }
            return try? JSONCoding.decode(Record.self, from: data)
        }

        /// Writes the record. Returns false if the record cannot be written. Then the download continues, but cannot be
        /// resumed later.
        private func writeRecord(with validator: StrongValidator, total: Int64?) -> Bool {
            let record = Record(request: request, validator: validator, total: total)
            guard let data = try? JSONEncoder().encode(record), let file = try? folder.newFile(names.record) else {
                return false
            }
            defer { file.close() }
            return (try? file.append(data)) != nil
        }
    }
}
