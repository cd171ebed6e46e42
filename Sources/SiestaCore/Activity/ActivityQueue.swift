import Isolation

/// The events that one listener has not read yet. It keeps the newest, up to a limit. Any thread may use it.
final class ActivityQueue: Sendable {
    /// An event in the queues. A reference, because the event is large, and all listeners share it.
    final class Entry: Sendable {
        let event: ActivityEvent

        init(_ event: ActivityEvent) { self.event = event }
    }

    private struct State {
        var entries: [Entry?] = []
        /// The index of the oldest entry. Nil stands before it.
        var first = 0
        var isEnded = false
        var readers = Waiters()

        /// Returns the oldest entry, and removes it.
        mutating func take() -> Entry? {
            guard first < entries.count else { return nil }
            let entry = entries[first].take()
            first += 1
            if first == entries.count || first > 64 && first > entries.count / 2 {
                entries.removeFirst(first)
                first = 0
            }
            return entry
        }
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Adds an entry, and the tasks that wait for it to `readers`. Returns the entry that is dropped. The caller resumes the
    /// tasks, and releases the entry, because both may run code of the app.
    func add(_ entry: Entry, waking readers: inout Waiters) -> Entry? {
        state.withLock { state in
            guard !state.isEnded else { return nil }
            let dropped = state.entries.count - state.first == limit ? state.take() : nil
            state.entries.append(entry)
            if !state.readers.isEmpty { readers.add(state.readers.take()) }
            return dropped
        }
    }

    /// Ends the loops over the events after those that wait to be read.
    func end() {
        let readers = state.withLock { state in
            state.isEnded = true
            return state.readers.take()
        }
        readers.resume()
    }

    /// Waits for the oldest event, and removes it. Returns nil at the end.
    func next() async -> ActivityEvent? {
        while true {
            let (entry, isEnded) = state.withLock { ($0.take(), $0.isEnded) }
            if entry != nil || isEnded { return entry?.event }
            await state.wait(in: \.readers) { $0.first < $0.entries.count || $0.isEnded }
        }
    }
}
