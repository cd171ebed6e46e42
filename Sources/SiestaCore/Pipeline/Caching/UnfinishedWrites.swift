import Isolation

/// The requested and unfinished writes to caches that the app implements. Covers all resources of a service, including
/// resources that are no longer in memory.
package final class UnfinishedWrites: Sendable {
    private struct State: Sendable {
        var writes: [Int: @Sendable () -> Void] = [:]
        var count = 0
    }

    private let state = Locked(State())

    /// Records a write. `undo` requests the removal of the written entity.
    func begin(undo: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.count += 1
            state.writes[state.count] = undo
            return state.count
        }
    }

    /// Returns true if the write may begin. Returns false if it was revoked.
    func contains(_ write: Int) -> Bool { state.withLock { $0.writes[write] != nil } }

    /// True if no write is unfinished.
    var isEmpty: Bool { state.withLock { $0.writes.isEmpty } }

    func end(_ write: Int) {
        _ = state.withLock { $0.writes.removeValue(forKey: write) }
    }

    /// Prevents the writes that have not begun, and undoes the writes that have begun.
    package func revoke() {
        let revoked = state.withLock { state in
            defer { state.writes = [:] }
            return state.writes
        }
        for (_, undo) in revoked.sorted(by: { $0.key < $1.key }) { undo() }
    }
}
