package import Foundation

/// The rule for files and folders that a process may trust: no other user may have created them, or may change them.
/// Pure.
///
/// Another user may have created a file in a shared folder. A link may lead to files outside the folder. A file with a
/// second name can be changed and read in another folder.
package struct FileTrust: Hashable, Sendable {
    /// The users whose files are trusted.
    package let users: Set<uid_t>

    /// Trusts files of the process's effective user.
    package static var own: Self { Self(users: [geteuid()]) }

    /// Trusts files that the process only reads. The owner of such a file must be the process's user, root (the
    /// administrator), or the owner of the program's executable file, as in an app's bundle. Root and the owner of the
    /// executable file could change the program as well.
    package static var installed: Self {
        var program = stat()
        let isKnown = Bundle.main.executablePath.map { stat($0, &program) == 0 } ?? false
        return Self(users: isKnown ? [geteuid(), 0, program.st_uid] : [geteuid(), 0])
    }

    package enum Kind {
        case folder, file
    }

    /// A reason not to use a file.
    package enum Defect: Hashable, CustomStringConvertible {
        case link
        case notFolder
        case notFile
        case owner(uid_t)
        case permissions(mode_t)
        case names
        /// Other users may read a file with secrets. ``FileTrust/defect(of:as:)`` does not return it.
        case readable(mode_t)
        /// The content is not in the expected format. ``FileTrust/defect(of:as:)`` does not return it.
        case content

        var code: Int32 {
            switch self {
            case .link: ELOOP
            case .notFolder: ENOTDIR
            case .notFile, .content: EINVAL
            case .owner, .permissions, .names, .readable: EPERM
            }
        }

        /// The reason, and the remedy.
        package var description: String {
            switch self {
            case .link:
                "is a symbolic link, which is not followed: name the file or folder that it leads to, or remove it"
            case .notFolder: "is not a folder"
            case .notFile: "is not a regular file"
            case .owner(let user):
                "belongs to user \(user), and this process runs as user \(geteuid()): use a folder of its own, or"
                    + " change the owner"
            case .permissions(let mode):
                "can be written by other users (mode \(String(mode & 0o7777, radix: 8))): use a folder of the process's"
                    + " own, or remove the permission (chmod go-w)"
            case .names: "has several names (hard links): remove it"
            case .readable(let mode):
                "contains secrets, and can be read by other users (mode \(String(mode & 0o7777, radix: 8))): change the"
                    + " secrets, and remove the permission (chmod go-rwx)"
            case .content: "has no valid content: remove it"
            }
        }
    }

    /// Returns the reason not to use a file or folder; nil if it may be used.
    ///
    /// A file without a name was removed after it was opened. This is no defect.
    package func defect(of status: stat, as kind: Kind) -> Defect? {
        defect(mode: status.st_mode, owner: status.st_uid, names: Int(status.st_nlink), as: kind)
    }

    /// Returns the reason not to use a file or folder with these properties.
    func defect(mode: mode_t, owner: uid_t, names: Int, as kind: Kind) -> Defect? {
        let type = mode & S_IFMT
        if type == S_IFLNK { return .link }
        if kind == .folder, type != S_IFDIR { return .notFolder }
        if kind == .file, type != S_IFREG { return .notFile }
        if !users.contains(owner) { return .owner(owner) }
        if mode & (S_IWGRP | S_IWOTH) != 0 { return .permissions(mode) }
        return kind == .file && names > 1 ? .names : nil
    }

    /// Returns true if a link on the path to a folder may be followed.
    package func trusts(link status: stat) -> Bool { trusts(linkOf: status.st_uid) }

    /// Returns true if a link of this user may be followed.
    func trusts(linkOf owner: uid_t) -> Bool { owner == 0 || users.contains(owner) }
}

extension stat {
    package var isFile: Bool { st_mode & S_IFMT == S_IFREG }
    package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    package var isLink: Bool { st_mode & S_IFMT == S_IFLNK }

    /// Returns true if both describe the same file.
    package func isSame(as other: stat) -> Bool { st_ino == other.st_ino && st_dev == other.st_dev }

    /// The time of the last modification, in nanoseconds since 1970.
    package var modificationTime: Int64 {
        #if canImport(Darwin)
        let time = st_mtimespec
        #else
        let time = st_mtim
        #endif
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
