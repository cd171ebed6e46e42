import Isolation

/// The operations of one or several caches, in order. A test can wait for an operation.
package final class CacheJournal: Sendable {
    private struct State: Sendable {
        var entries: [String] = []
        var listeners: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Locked(State())

    package init() {}

    package var entries: [String] { state.withLock { $0.entries } }

    /// Returns the entries that begin with `prefix`.
    package func entries(_ prefix: String) -> [String] { entries.filter { $0.hasPrefix(prefix) } }

    package func note(_ entry: String) {
        let listeners = state.withLock { state in
            state.entries.append(entry)
            return state.listeners
        }
        for listener in listeners { listener.yield() }
    }

    /// Waits until the journal contains `entry` `count` times, or the test is cancelled.
    package func wait(for entry: String, count: Int = 1) async {
        await wait { $0.count { $0 == entry } >= count }
    }

    /// Waits until the entries meet a condition, or the test is cancelled.
    package func wait(until isMet: ([String]) -> Bool) async {
        let (changes, listener) = AsyncStream.makeStream(of: Void.self)
        state.withLock { $0.listeners.append(listener) }
        listener.yield()
        for await _ in changes where isMet(entries) { return }
    }
}
