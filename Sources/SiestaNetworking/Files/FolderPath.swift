import Foundation

/// Operations on the paths of folders, as texts and in the file system.
package enum FolderPath {
    /// Returns the path without redundant parts, such as a slash or a dot at the end. With these parts, the system
    /// would follow a link even at the end of the path.
    package static func normalized(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        let start = path.hasPrefix("/") ? "/" : parts.isEmpty ? "." : ""
        return start + parts.joined(separator: "/")
    }

    /// Returns the path without its last part.
    package static func parent(of path: String) -> String {
        let parent = (path as NSString).deletingLastPathComponent
        return parent.isEmpty ? "." : parent
    }

    /// Creates a folder that only this user can access, and its missing parent folders.
    ///
    /// Returns the folders that have a new entry, beginning with the outermost. After a power failure, the entries may
    /// be missing until these folders were synchronized.
    @discardableResult
    package static func make(_ path: String) throws(FileSystemError) -> [String] {
        let parent = parent(of: path)
        if mkdir(path, 0o700) == 0 { return [parent] }
        let code = errno
        if code == EEXIST { return [] }
        guard code == ENOENT, parent != path, parent != "." else { throw FileSystemError("mkdir", path, code: code) }
        let changed = try make(parent)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileSystemError("mkdir", path) }
        return changed + [parent]
    }

    /// Waits until the names of the folder's entries survive a power failure. Follows links.
    package static func synchronize(_ path: String) throws(FileSystemError) {
        let folder = try FileDescriptor(path, O_RDONLY)
        defer { folder.close() }
        try folder.synchronize()
    }

    #if os(Linux) || os(Android)
    /// Opens the folder that contains the last part of `path`. Opens one part of the path after another, and checks
    /// each link before it follows the link.
    ///
    /// - Throws: The error of the system. Also throws if a link is owned by a user who is neither trusted nor root.
    package static func open(above path: String, _ trust: FileTrust) throws(FileSystemError) -> CInt {
        var way = path.hasPrefix("/") ? "" : "."
        var folder = try open(path.hasPrefix("/") ? "/" : ".", at: AT_FDCWD, as: path)
        do throws(FileSystemError) {
            var rest = Array(path.split(separator: "/").dropLast().reversed())
            var count = 0
            while let part = rest.popLast() {
                let name = "\(way)/\(part)"
                if let target = try target(of: String(part), in: folder, as: name, trust) {
                    count += 1
                    guard count <= 40 else { throw FileSystemError("open", path, code: ELOOP) }
                    rest += target.split(separator: "/").reversed()
                    guard target.hasPrefix("/") else { continue }
                    let next = try open("/", at: AT_FDCWD, as: path)
                    close(folder)
                    (folder, way) = (next, "")
                } else {
                    let next = try open(String(part), at: folder, as: name)
                    close(folder)
                    (folder, way) = (next, name)
                }
            }
            return folder
        } catch {
            close(folder)
            throw error
        }
    }

    private static func open(_ name: String, at folder: CInt, as path: String) throws(FileSystemError) -> CInt {
        let number = openat(folder, name, Folder.searching | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw FileSystemError("open", path) }
        return number
    }

    /// Returns the target of a link that may be followed; nil if `name` is not a link.
    private static func target(
        of name: String, in folder: CInt, as path: String, _ trust: FileTrust
    ) throws(FileSystemError) -> String? {
        guard FileStatus(of: name, in: folder)?.isLink == true else { return nil }
        let link = openat(folder, name, Folder.searching | O_NOFOLLOW | O_CLOEXEC)
        defer { close(link) }
        guard link >= 0, let status = FileStatus(of: link) else { throw FileSystemError("open", path) }
        guard trust.trusts(link: status) else { throw FileSystemError("open", path, .owner(status.owner)) }
        return text { readlinkat(link, "", $0, $1) }
    }
    #else
    /// Checks the links on `path`, except its last part. A user who owns a link can change its target at any time.
    ///
    /// - Throws: An error if a link belongs to a user who is neither trusted nor root. If the status of a part cannot
    ///   be read, as in a sandbox, the part does not count as a link.
    package static func checkLinks(onTheWayTo path: String, _ trust: FileTrust) throws(FileSystemError) {
        var way = path.hasPrefix("/") ? "" : "."
        var rest = Array(path.split(separator: "/").dropLast().reversed())
        var count = 0
        while let part = rest.popLast() {
            let next = "\(way)/\(part)"
            guard part != ".", let status = FileStatus(of: next, in: AT_FDCWD), status.isLink else {
                if part != "." { way = next }
                continue
            }
            count += 1
            guard trust.trusts(link: status) else { throw FileSystemError("open", next, .owner(status.owner)) }
            guard count <= 40, let target = text({ readlink(next, $0, $1) }) else {
                throw FileSystemError("open", path, code: ELOOP)
            }
            if target.hasPrefix("/") { way = "" }
            rest += target.split(separator: "/").reversed()
        }
    }

    #endif

    /// Returns the target of a link. `read` must write the target to a buffer. Returns nil if `read` fails.
    private static func text(_ read: (UnsafeMutablePointer<CChar>, Int) -> Int) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBufferPointer { $0.baseAddress.map { read($0, Int(PATH_MAX)) } ?? 0 }
        return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
