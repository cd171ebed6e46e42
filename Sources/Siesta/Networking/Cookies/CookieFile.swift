import Dispatch
import Foundation
import Isolation

/// The file of ``CookieStorage/file(at:)``. Any thread may use it.
///
/// It is read where it is first needed, and written on its own queue. ``remove()`` begins a new generation: what an
/// earlier generation writes later is dropped.
final class CookieFile: Sendable {
    /// The number of times that the file was removed.
    typealias Generation = Int

    private let path: String
    private let queue = DispatchQueue(label: "Siesta.CookieFile", qos: .utility)
    private let state = Locked(State())

    private struct State {
        var generation: Generation = 0
        /// True if the file must not be used.
        var isRefused = false
        /// True if a write has not begun to read the cookies.
        var isWritePending = false
        /// The last write. The next write waits for it, so that an older state never replaces a newer one.
        var lastWrite: Task<Void, Never>?
    }

    init(_ url: URL) {
        path = FolderPath.normalized(url.path)
    }

    var generation: Generation { state.withLock { $0.generation } }

    /// True if there may be a file to read.
    var mayExist: Bool { state.withLock { $0.generation == 0 } && access(path, F_OK) == 0 }

    /// Returns the current cookies of the file. Returns none if the file was removed, or must not be used.
    func load(_ generation: Generation) -> [Cookie] {
        guard generation == 0 else { return [] }  // a later generation begins without a file
        do throws(FileSystemError) {
            guard let folder = try Folder.open(FolderPath.parent(of: path)) else { return [] }
            try check(in: folder)
            guard let (file, status) = try folder.file(name) else { return [] }
            defer { file.close() }
            let content = try file.contents(count: min(Int(status.st_size), Self.maximumSize))
            let now = Date()
            return String(decoding: content, as: UTF8.self).split(whereSeparator: \.isNewline)
                .compactMap { Cookie(line: String($0)) }.filter { $0.isCurrent(at: now) }
        } catch {
            refuse(because: error)
            return []
        }
    }

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
                guard !isRefused, let folder = try Folder.open(FolderPath.parent(of: path)) else { return }
                try check(in: folder)
                if try folder.remove(name) { try folder.synchronize() }
            } catch {
                refuse(because: error)
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

    private var isRefused: Bool { state.withLock { $0.isRefused } }

    private func write(_ cookies: [Cookie], _ generation: Generation) {
        guard !isRefused, generation == self.generation else { return }
        do throws(FileSystemError) {
            let parent = FolderPath.parent(of: path)
            try FolderPath.make(parent)
            guard let folder = try Folder.open(parent) else { return }
            try check(in: folder)
            try write(Self.header + cookies.map { $0.line + "\n" }.joined(), in: folder, generation)
        } catch {
            refuse(because: error)
        }
    }

    private func write(_ text: String, in folder: Folder, _ generation: Generation) throws(FileSystemError) {
        let new = ".\(name).\(UUID().uuidString)"
        let file = try folder.newFile(new)
        do throws(FileSystemError) {
            defer { file.close() }
            try file.append(Data(text.utf8))
            try file.synchronize()
            guard generation == self.generation else { return _ = try folder.remove(new) }
            try folder.move(new, to: folder, as: name)
        } catch {
            _ = try? folder.remove(new)
            throw error
        }
    }

    /// Throws the reason not to use the file. Does nothing if there is no file.
    private func check(in folder: Folder) throws(FileSystemError) {
        try folder.checkFile(name)
        guard let status = folder.status(of: name), status.st_mode & 0o077 != 0 else { return }
        throw FileSystemError("open", path, .permissions(status.st_mode))
    }

    private func refuse(because error: FileSystemError) {
        guard state.withLock({ !exchange(&$0.isRefused, with: true) }) else { return }
        SiestaLog.log(.network, ["The cookies are kept in memory only:", error])
    }

    private static let header = "# Netscape HTTP Cookie File\n"
    private static let maximumSize = 16 << 20
}
