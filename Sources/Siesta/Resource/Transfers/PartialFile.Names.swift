import Foundation

extension PartialFile {
    /// Where the parts of one file are: hidden files in the same folder, under names that a later process finds again.
    struct Names: Sendable {
        /// The folder of the file and its parts.
        let folder: String
        /// The file.
        let target: String
        /// The bytes that were received.
        let part: String
        /// What they are a part of.
        let record: String

        init(_ target: URL) {
            folder = target.deletingLastPathComponent().path
            self.target = target.lastPathComponent
            part = ".\(Self.shortened(self.target)).part"
            record = part + ".json"
        }

        /// A name that leaves room for the rest: file systems allow 255 bytes. What is cut off counts by a digest.
        private static func shortened(_ name: String) -> String {
            guard name.utf8.count > 200 else { return name }
            var start = name.prefix(160)
            while start.utf8.count > 160 { start.removeLast() }
            return String(start) + SHA256.hexadecimal(of: name).prefix(32)
        }
    }
}

extension Folder {
    /// Opens a file for reading and writing, locked against other processes, or creates it; others can neither have made
    /// nor read nor change it. Returns its size, too.
    ///
    /// What else stands in its place is left alone: the name may be chosen by another user of the folder.
    func lockedFile(_ name: String) throws(FileSystemError) -> (file: FileDescriptor, size: Int64) {
        while true {
            let file = try newOrExistingFile(name)
            do throws(FileSystemError) {
                guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { throw FileSystemError("flock", file.path) }
                // Whoever had it before may have completed or removed it between our opening and our locking it.
                let opened = try file.status()
                if let named = status(of: name), named.isSame(as: opened) {
                    if let defect = trust.defect(of: opened, as: .file) {
                        throw FileSystemError("open", file.path, defect)
                    }
                    fchmod(file.number, 0o600)
                    return (file, Int64(opened.st_size))
                }
                file.close()
            } catch {
                file.close()
                throw error
            }
        }
    }

    private func newOrExistingFile(_ name: String) throws(FileSystemError) -> FileDescriptor {
        while true {
            // Opening some devices has an effect.
            guard let status = status(of: name) else {
                do throws(FileSystemError) {
                    return try newFile(name)
                } catch {
                    guard error.code == EEXIST else { throw error }
                    continue
                }
            }
            if let defect = trust.defect(of: status, as: .file) {
                guard case .permissions = defect else { throw FileSystemError("open", path(of: name), defect) }
                try remove(name)  // It is the user's own, but others may have written it.
                continue
            }
            do throws(FileSystemError) {
                return try FileDescriptor(name, in: self, O_RDWR)
            } catch {
                if error.code != ENOENT { throw error }
            }
        }
    }

    /// The permissions that a file gets which a program makes without naming any: those of an empty one that is made
    /// and removed again. The process's mask cannot be read without changing it.
    func usualPermissions(tryingOut name: String) throws(FileSystemError) -> mode_t {
        let number = openat(number, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw FileSystemError("open", path(of: name)) }
        defer {
            close(number)
            _ = try? remove(name)
        }
        var status = stat()
        guard fstat(number, &status) == 0 else { throw FileSystemError("fstat", path(of: name)) }
        return status.st_mode & 0o777
    }
}
