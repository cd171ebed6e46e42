import Foundation
import SiestaCore

/// Makes downloads to the same file run one after another.
@MainActor
final class FileQueue {
    static let shared = FileQueue()

    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// True if a download uses the file.
    func isInUse(_ file: URL) -> Bool { waiting[file.standardizedFileURL.path] != nil }

    /// Waits until no other download uses the file. Returns the argument for ``end(_:)``.
    func waitForAccess(to file: URL) async -> String {
        let path = file.standardizedFileURL.path
        guard waiting[path] != nil else {
            waiting[path] = []
            return path
        }
        await withCheckedContinuation { waiting[path]?.append($0) }
        return path
    }

    /// Ends the use of a file, and resumes the next download to it.
    func end(_ path: String) {
        guard let queue = waiting[path], !queue.isEmpty else { return waiting[path] = nil }
        waiting[path]?.removeFirst().resume()
    }
}
