import Foundation

/// Paths of folders as texts, and the way to them.
enum FolderPath {
    /// A path without what has no meaning, as a slash or a dot at the end: with it, even the last link is followed.
    static func normalized(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        let start = path.hasPrefix("/") ? "/" : parts.isEmpty ? "." : ""
        return start + parts.joined(separator: "/")
    }

    /// The path without its last part.
    static func parent(of path: String) -> String {
        let parent = (path as NSString).deletingLastPathComponent
        return parent.isEmpty ? "." : parent
    }

    /// Makes a folder for the user alone, and those above it that are missing.
    static func make(_ path: String) throws(FileSystemError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        let code = errno
        let parent = parent(of: path)
        guard code == ENOENT, parent != path, parent != "." else { throw FileSystemError("mkdir", path, code: code) }
        try make(parent)
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw FileSystemError("mkdir", path)
    }

    /// Follows the links on the way to `path`; the last part is not looked at.
    ///
    /// Whoever can make a link can lead the way elsewhere at any time.
    ///
    /// - Throws: if a link belongs to a user who is neither trusted nor the administrator. What must not be looked at,
    ///   as in a sandbox, counts as no link.
    static func checkLinks(onTheWayTo path: String, _ trust: FileTrust) throws(FileSystemError) {
        var way = path.hasPrefix("/") ? "" : "."
        var rest = Array(path.split(separator: "/").dropLast().reversed())
        var count = 0
        while let part = rest.popLast() {
            let next = "\(way)/\(part)"
            var status = stat()
            guard part != ".", lstat(next, &status) == 0, status.isLink else {
                if part != "." { way = next }
                continue
            }
            count += 1
            guard trust.trusts(link: status) else { throw FileSystemError("open", next, .owner(status.st_uid)) }
            guard count <= 40, let target = target(of: next) else { throw FileSystemError("open", path, code: ELOOP) }
            if target.hasPrefix("/") { way = "" }
            rest += target.split(separator: "/").reversed()
        }
    }

    /// The text of a link.
    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
