import Foundation

#if os(Linux) || os(Android)
// One of these modules declares the members of C structures for the compiler, depending on what it has read before.
import CDispatch
import CoreFoundation
#elseif canImport(Darwin)
import Darwin
#endif

/// The properties of a file or folder when they were read.
package struct FileStatus {
    private let status: stat

    /// Reads the properties of an open file. Returns nil and sets `errno` if that fails.
    package init?(of descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.status = status
    }

    /// Reads the properties of the file to which a path leads. Returns nil and sets `errno` if that fails.
    package init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.status = status
    }

    /// Reads the properties of an entry of a folder, without following a link. Returns nil and sets `errno` if that fails.
    package init?(of name: String, in folder: CInt) {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.status = status
    }

    /// The number of bytes.
    package var size: Int { Int(status.st_size) }

    /// The type and the permissions.
    package var mode: UInt32 { UInt32(status.st_mode) }

    package var permissions: UInt32 { mode & 0o777 }

    package var owner: UInt32 { status.st_uid }

    /// The number of hard links.
    package var names: Int { Int(status.st_nlink) }

    package var isFile: Bool { status.st_mode & S_IFMT == S_IFREG }
    package var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
    package var isLink: Bool { status.st_mode & S_IFMT == S_IFLNK }

    /// Returns true if both describe the same file.
    package func isSame(as other: FileStatus) -> Bool {
        status.st_ino == other.status.st_ino && status.st_dev == other.status.st_dev
    }

    /// The time of the last modification, in nanoseconds since 1970. Times before 1748 and after 2262, which some file
    /// systems can store, are replaced by the nearest time between.
    package var modificationTime: Int64 {
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        let seconds = min(max(Int64(time.tv_sec), -7_000_000_000), 9_223_372_035)
        return seconds * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
