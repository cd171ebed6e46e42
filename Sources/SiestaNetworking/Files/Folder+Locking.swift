import Foundation

extension Folder {
    /// Opens a file for reading and writing, or creates it, and locks it against other processes. Returns the file and
    /// its size.
    ///
    /// No other user can have created, read or changed the returned file. If a file of this user may have been written
    /// by others, it is removed and created again. Any other object with this name remains unchanged, and an error is
    /// thrown, because another user of the folder may have chosen the name.
    package func lockedFile(_ name: String) throws(FileSystemError) -> (file: FileDescriptor, size: Int64) {
        while true {
            let file = try newOrExistingFile(name)
            do throws(FileSystemError) {
                guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { throw FileSystemError("flock", file.path) }
                // Another process may have completed or removed the file after it was opened and before it was locked
                // here.
                let opened = try file.status()
                if let named = status(of: name), named.isSame(as: opened) {
                    if let defect = trust.defect(of: opened, as: .file) {
                        throw FileSystemError("open", file.path, defect)
                    }
                    fchmod(file.number, 0o600)
                    return (file, Int64(opened.size))
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
            // The status is checked before the file is opened, because opening some devices has an effect.
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
                try remove(name)  // The file belongs to this user, but others may have written it.
                continue
            }
            do throws(FileSystemError) {
                return try FileDescriptor(name, in: self, O_RDWR)
            } catch {
                if error.code != ENOENT { throw error }
            }
        }
    }

    /// Returns the permissions that a new file gets by default. Creates an empty file and removes it, because the mask
    /// of the process cannot be read without changing it.
    package func usualPermissions(tryingOut name: String) throws(FileSystemError) -> UInt32 {
        _ = try? remove(name)  // remained after a crash
        let number = openat(number, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw FileSystemError("open", path(of: name)) }
        defer {
            close(number)
            _ = try? remove(name)
        }
        guard let status = FileStatus(of: number) else { throw FileSystemError("fstat", path(of: name)) }
        return status.permissions
    }
}
