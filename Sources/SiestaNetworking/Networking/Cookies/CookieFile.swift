import Dispatch
import Foundation
import HTTPRules
import Isolation

/// The file of ``CookieStorage/file(at:)``. Any thread may use it.
///
/// It is read where it is first needed, and written on its own queue. ``remove()`` begins a new generation: what an
/// earlier generation writes later is dropped.
///
/// The file names its user in a comment, by a digest. The cookies of another user are not loaded: the process may have
/// ended after the credential of the next user was saved, and before the file was removed.
///
/// A write goes to a second file first, which has always the same name. Therefore processes write one after another, with
/// the lock of the folder. A process that is killed while it writes leaves the second file; each load, write and removal
/// removes it. Reading needs no permission to write.
final class CookieFile: Sendable {
    /// The number of times that the file was removed.
    typealias Generation = Int

    private let path: String
    private let owner: CookieOwner
    private let queue = DispatchQueue(label: "Siesta.CookieFile", qos: .utility)
    private let state = Locked(State())

    private struct State {
        var generation: Generation = 0
        /// True if the file must not be used, or could not be read. It is not written then, and only removed.
        var isRefused = false
        /// True if a write has not begun to read the cookies.
        var isWritePending = false
        /// The last write. The next write waits for it, so that an older state never replaces a newer one.
        var lastWrite: Task<Void, Never>?
    }

    init(_ url: URL, owner: CookieOwner = CookieOwner()) {
        path = FolderPath.normalized(url.path)
        self.owner = owner
    }

    var generation: Generation { state.withLock { $0.generation } }

    /// True if there may be a file to read or to remove.
    var mayExist: Bool {
        let isFirst = state.withLock { $0.generation == 0 }
        let newPath = FolderPath.parent(of: path) + "/" + newName
        return isFirst && (access(path, F_OK) == 0 || access(newPath, F_OK) == 0)
    }

    /// Returns the current cookies of the file. Returns none if the file was removed, must not be used, or belongs to
    /// another user. Waits for earlier operations.
    func load(_ generation: Generation) -> [Cookie] {
        queue.sync {
            // A later generation begins without a file.
            guard generation == 0, generation == self.generation else { return [] }
            do throws(FileSystemError) {
                guard let folder = try Folder.open(FolderPath.parent(of: path)) else { return [] }
                if folder.has(newName) { folder.whileLocked { _ = try? folder.remove(newName) } }
                guard let content = try content(in: folder) else { return [] }
                guard content.owner == Self.mark(of: owner.principal) else {
                    if owner.hasSession {
                        try folder.whileLocked { () throws(FileSystemError) in _ = try folder.remove(name) }
                    }
                    return []
                }
                let now = Date()
                return content.lines.compactMap { Cookie(line: CookieLine.text(of: $0)) }
                    .filter { $0.isCurrent(at: now) }
            } catch {
                refuse(because: error)
                return []
            }
        }
    }

    /// Makes the cookies of nobody in the file those of the current user. Returns at once.
    func giveToOwner() {
        queue.async { [self] in
            let generation = generation
            do throws(FileSystemError) {
                guard !isRefused, let folder = try Folder.open(FolderPath.parent(of: path)),
                    let content = try content(in: folder), content.owner == nil
                else { return }
                let cookies = content.lines.filter { Cookie(line: CookieLine.text(of: $0)) != nil }
                try write(cookies, in: folder, generation)
            } catch {
                note(error)
            }
        }
    }

    /// The lines of the file without their ends, and the mark of its user; nil if it belongs to nobody.
    private typealias Content = (lines: [Data.SubSequence], owner: String?)

    /// Returns nil if there is no file.
    private func content(in folder: Folder) throws(FileSystemError) -> Content? {
        try check(in: folder)
        guard let (file, status) = try folder.file(name) else { return nil }
        defer { file.close() }
        let content = try file.contents(count: min(status.size, Self.maximumSize))
        let lines = content.split(separator: UInt8(ascii: "\n")).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
        let marks = lines.prefix(2).filter { $0.starts(with: Self.ownerMark.utf8) }
        return (lines, marks.first.map { String(decoding: $0, as: UTF8.self) })
    }

    /// Returns the comment that names a user; nil for nobody.
    private static func mark(of principal: Principal?) -> String? {
        principal.map { ownerMark + SHA256.hexadecimal(of: $0.name) }
    }

    private static let ownerMark = "# User: "

    /// Schedules a write of the cookies that `cookies` returns. Several changes may be written together.
    func scheduleWrite(_ generation: Generation, _ cookies: @escaping @Sendable () async -> [Cookie]) {
        state.withLock { state in
            guard state.generation == generation, !state.isRefused, !state.isWritePending else { return }
            state.isWritePending = true
            state.lastWrite = Task { @concurrent [self, earlier = state.lastWrite] in
                await earlier?.value
                let isCurrent = self.state.withLock { state in
                    guard state.generation == generation else { return false }
                    state.isWritePending = false  // later changes need another write
                    return true
                }
                guard isCurrent else { return }
                let all = await cookies()
                await perform { self.write(all.filter { $0.expires != nil }, generation) }
            }
        }
    }

    /// Removes the file, and ends the current generation. Returns at once.
    func remove() {
        state.withLock { state in
            state.generation += 1
            state.isWritePending = false
        }
        queue.async { [self] in
            do throws(FileSystemError) {
                guard let folder = try Folder.open(FolderPath.parent(of: path)) else { return }
                try folder.checkRemoval(name)
                try folder.whileLocked { () throws(FileSystemError) in
                    let removed = [try folder.remove(name), try folder.remove(newName)]
                    if removed.contains(true) { try folder.synchronize() }
                }
            } catch {
                SiestaLog.log(.network, ["The file of cookies cannot be removed:", error])
            }
        }
    }

    /// Waits until all operations before this call have ended.
    func settle() async {
        await state.withLock { $0.lastWrite }?.value
        await perform {}
    }

    private func perform(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            queue.async {
                work()
                continuation.resume()
            }
        }
    }

    private var name: String { (path as NSString).lastPathComponent }

    /// The name of the file to which a write goes first.
    private var newName: String { ".\(name).new" }

    private var isRefused: Bool { state.withLock { $0.isRefused } }

    private func write(_ cookies: [Cookie], _ generation: Generation) {
        guard !isRefused, generation == self.generation else { return }
        do throws(FileSystemError) {
            let parent = FolderPath.parent(of: path)
            try FolderPath.make(parent)
            guard let folder = try Folder.open(parent) else { return }
            try check(in: folder)
            let lines = cookies.filter(\.fitsInLine).map { CookieLine.bytes(of: $0.line)[...] }
            try write(lines, in: folder, generation)
        } catch {
            note(error)
        }
    }

    private func write(
        _ lines: some Sequence<some Sequence<UInt8>>, in folder: Folder, _ generation: Generation
    ) throws(FileSystemError) {
        // If the user changes later, so does the generation before.
        var text = Data((Self.header + (Self.mark(of: owner.principal).map { $0 + "\n" } ?? "")).utf8)
        for line in lines { text += Data(line) + [UInt8(ascii: "\n")] }
        try folder.whileLocked { () throws(FileSystemError) in try write(text, in: folder, generation) }
    }

    /// The caller has the lock of the folder.
    private func write(_ text: Data, in folder: Folder, _ generation: Generation) throws(FileSystemError) {
        try folder.remove(newName)
        let file = try folder.newFile(newName)
        do throws(FileSystemError) {
            defer { file.close() }
            try file.append(text)
            try file.synchronize()
            guard generation == self.generation else { return _ = try folder.remove(newName) }
            try folder.move(newName, to: folder, as: name)
        } catch {
            _ = try? folder.remove(newName)
            throw error
        }
        try folder.synchronize()
    }

    /// Throws the reason not to use the file. Does nothing if there is no file.
    private func check(in folder: Folder) throws(FileSystemError) {
        try folder.checkFile(name)
        guard let status = folder.status(of: name), status.mode & 0o077 != 0 else { return }
        throw FileSystemError("open", path, .permissions(status.mode))
    }

    /// Refuses the file if the error says that it must not be used. Other errors may pass, for example a full disk: the next
    /// change writes the file again.
    private func note(_ error: FileSystemError) {
        if error.refusal != nil { return refuse(because: error) }
        SiestaLog.log(.network, ["The file of cookies cannot be changed:", error])
    }

    private func refuse(because error: FileSystemError) {
        guard state.withLock({ !exchange(&$0.isRefused, with: true) }) else { return }
        SiestaLog.log(.network, ["The cookies are kept in memory only:", error])
    }

    private static let header = "# Netscape HTTP Cookie File\n"
    private static let maximumSize = 16 << 20
}
