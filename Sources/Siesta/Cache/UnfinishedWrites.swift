/// The writes that the app's caches were asked for and have not finished, of all resources of a service: also of those
/// that are not in memory any more.
final class UnfinishedWrites: Sendable {
    private struct State: Sendable {
        var writes: [Int: @Sendable () -> Void] = [:]
        var count = 0
    }

    private let state = Locked(State())

    /// Takes note of a write; `undo` asks for the removal of what it writes.
    func begin(undo: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.count += 1
            state.writes[state.count] = undo
            return state.count
        }
    }

    /// Whether a write that begins now is still wanted.
    func contains(_ write: Int) -> Bool { state.withLock { $0.writes[write] != nil } }

    func end(_ write: Int) {
        _ = state.withLock { $0.writes.removeValue(forKey: write) }
    }

    /// Prevents the writes that have not begun, and undoes those that have.
    func revoke() {
        let revoked = state.withLock { state in
            defer { state.writes = [:] }
            return state.writes
        }
        for (_, undo) in revoked.sorted(by: { $0.key < $1.key }) { undo() }
    }
}
