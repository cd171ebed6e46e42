import Foundation
import SiestaCore

/// Makes downloads to the same file run one after another.
@MainActor
final class FileQueue {
    static let shared = FileQueue()

    private struct Waiter {
        let continuation: CheckedContinuation<Void, Never>
        let noteEnd: () -> Void
    }

    private var waiting: [String: [Waiter]] = [:]

    /// True if a download uses the file.
    func isInUse(_ file: URL) -> Bool { waiting[file.standardizedFileURL.path] != nil }

    /// Waits until no other download uses the file. Returns the argument for ``end(_:)``.
    ///
    /// - Parameter noteEnd: called when the wait ends, before the waiting task continues.
    func waitForAccess(to file: URL, _ noteEnd: @escaping () -> Void) async -> String {
        let path = file.standardizedFileURL.path
        guard waiting[path] != nil else {
            waiting[path] = []
            return path
        }
        await withCheckedContinuation { waiting[path]?.append(Waiter(continuation: $0, noteEnd: noteEnd)) }
        return path
    }

    /// Ends the use of a file, and resumes the next download to it.
    func end(_ path: String) {
        guard let queue = waiting[path], !queue.isEmpty else { return waiting[path] = nil }
        guard let next = waiting[path]?.removeFirst() else { return }
        next.noteEnd()
        next.continuation.resume()
    }
}
