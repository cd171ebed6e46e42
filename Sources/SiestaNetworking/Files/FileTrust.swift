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
        let program = Bundle.main.executablePath.flatMap { FileStatus(at: $0) }
        return Self(users: [geteuid(), 0, program?.owner ?? 0])
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
        case permissions(UInt32)
        case names
        /// Other users may read a file with secrets. ``FileTrust/defect(of:as:)`` does not return it.
        case readable(UInt32)
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
    package func defect(of status: FileStatus, as kind: Kind) -> Defect? {
        defect(mode: status.mode, owner: status.owner, names: status.names, as: kind)
    }

    /// Returns the reason not to use a file or folder with these properties.
    func defect(mode: UInt32, owner: uid_t, names: Int, as kind: Kind) -> Defect? {
        let type = mode_t(mode) & S_IFMT
        if type == S_IFLNK { return .link }
        if kind == .folder, type != S_IFDIR { return .notFolder }
        if kind == .file, type != S_IFREG { return .notFile }
        if !users.contains(owner) { return .owner(owner) }
        if mode & 0o022 != 0 { return .permissions(mode) }
        return kind == .file && names > 1 ? .names : nil
    }

    /// Returns true if a link on the path to a folder may be followed.
    package func trusts(link status: FileStatus) -> Bool { trusts(linkOf: status.owner) }

    /// Returns true if a link of this user may be followed.
    func trusts(linkOf owner: uid_t) -> Bool { owner == 0 || users.contains(owner) }
}
