import Foundation

/// Makes downloads to the same file run one after another.
@MainActor
final class FileQueue {
    static let shared = FileQueue()

    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// Waits for a turn. Returns the argument for ``end(_:)``.
    func next(for file: URL) async -> String {
        let path = file.standardizedFileURL.path
        guard waiting[path] != nil else {
            waiting[path] = []
            return path
        }
        await withCheckedContinuation { waiting[path]?.append($0) }
        return path
    }

    /// Ends a turn, and begins the next turn for the same file.
    func end(_ path: String) {
        guard let queue = waiting[path], !queue.isEmpty else { return waiting[path] = nil }
        waiting[path]?.removeFirst().resume()
    }
}
