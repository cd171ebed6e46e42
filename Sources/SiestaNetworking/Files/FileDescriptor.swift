package import Foundation
import Isolation

#if os(Linux) || os(Android)
// One of these modules declares the members of C structures for the compiler, depending on what it has read before.
import CDispatch
import CoreFoundation
#endif

/// An open file. The code that opens it closes it.
package struct FileDescriptor {
    package let number: CInt
    package let path: String

    /// Opens a file and follows links. Other programs do not inherit the descriptor. Opening does not wait for another
    /// process, for example at a pipe.
    package init(_ path: String, _ flags: CInt, mode: UInt32 = 0o600) throws(FileSystemError) {
        self.path = path
        number = open(path, flags | O_CLOEXEC | O_NONBLOCK, mode_t(mode))
        guard number >= 0 else { throw FileSystemError("open", path) }
    }

    /// Opens a file of a folder without following links.
    package init(_ name: String, in folder: Folder, _ flags: CInt) throws(FileSystemError) {
        path = folder.path(of: name)
        number = openat(folder.number, name, flags | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw FileSystemError("open", path) }
    }

    package func close() { closeDescriptor(number) }

    package func status() throws(FileSystemError) -> FileStatus {
        guard let status = FileStatus(of: number) else { throw FileSystemError("fstat", path) }
        return status
    }

    /// Returns true if `name` in `folder` still is this file. Another process can replace or remove an open file.
    package func isStill(_ name: String, in folder: Folder) -> Bool {
        guard let named = folder.status(of: name), let opened = FileStatus(of: number) else { return false }
        return named.isSame(as: opened)
    }

    /// Returns the first `count` bytes, or fewer if the file is shorter.
    package func contents(count: Int) throws(FileSystemError) -> Data {
        var data = Data(count: count)
        var (done, failure) = (0, CInt(0))
        data.withUnsafeMutableBytes { buffer in
            while done < count, let start = buffer.baseAddress {
                let length = uninterrupted { read(number, start + done, count - done) }
                if length < 0 { failure = errno }
                guard length > 0 else { break }
                done += length
            }
        }
        guard failure == 0 else { throw FileSystemError("read", path, code: failure) }
        return done == count ? data : data.prefix(done)
    }

    package func append(_ data: Data) throws(FileSystemError) {
        let failure: CInt = data.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count, let start = buffer.baseAddress {
                let length = uninterrupted { write(number, start + done, buffer.count - done) }
                guard length > 0 else { return length < 0 ? errno : EIO }
                done += length
            }
            return 0
        }
        guard failure == 0 else { throw FileSystemError("write", path, code: failure) }
    }

    /// Waits until the content, or the entries of a folder, survive a power failure.
    package func synchronize() throws(FileSystemError) {
        #if canImport(Darwin)
        if fcntl(number, F_FULLFSYNC) == 0 { return }  // `fsync` does not empty the disk's own buffer there
        #endif
        guard fsync(number) == 0 else { throw FileSystemError("fsync", path) }
    }

    /// Sets the time of the last modification, in nanoseconds since 1970.
    package func setModificationTime(_ time: Int64) {
        let time = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        _ = futimens(number, [time, time])
    }
}

/// Calls the system's `close`. The method of the same name hides it.
private func closeDescriptor(_ number: CInt) { close(number) }
