import Foundation
import Isolation

/// Numbers the events of one service, and passes them to its listeners. Any thread may use it.
///
/// The context of the service knows its hub only while there are listeners. Without them, no event is made.
package final class ActivityHub: Sendable {
    private struct State {
        var lastID = 0
        var lastListener = 0
        var listeners: [Int: ActivityQueue] = [:]
    }

    private let clock: SiestaClock
    private let state = Locked(State())
    /// Called after the first listener was added, and after the last was removed.
    private let listenersChanged: @Sendable () -> Void

    /// The event that causes the events which the main actor records now; nil if code of the app does.
    @MainActor var cause: Int?

    init(clock: SiestaClock, listenersChanged: @escaping @Sendable () -> Void) {
        (self.clock, self.listenersChanged) = (clock, listenersChanged)
    }

    /// Ends the loops over the events, because there will be no more.
    deinit {
        for listener in state.withLock({ $0.listeners }).values { listener.end() }
    }

    var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Passes an event to all listeners. Returns its number.
    @discardableResult
    func record(_ kind: ActivityEvent.Kind, of address: String?, because cause: Int?) -> Int {
        let date = Date(timeIntervalSinceReferenceDate: clock.wallTime)
        let uptime = clock.monotonicTime
        var readers = Waiters()
        var dropped: (one: ActivityQueue.Entry?, others: [ActivityQueue.Entry]) = (nil, [])
        let id = state.withLock { state in
            state.lastID += 1
            let entry = ActivityQueue.Entry(
                ActivityEvent(
                    id: state.lastID, cause: cause, date: date, uptime: uptime, address: address, kind: kind))
            // Under the lock, so that all listeners receive the events in the order of their numbers.
            for listener in state.listeners.values {
                guard let old = listener.add(entry, waking: &readers) else { continue }
                if dropped.one == nil { dropped.one = old } else { dropped.others.append(old) }
            }
            return state.lastID
        }
        if !readers.isEmpty { readers.resume() }
        extendLifetime(dropped)
        return id
    }

    /// Does the same on the main actor, with the current cause.
    @MainActor @discardableResult
    func record(_ kind: ActivityEvent.Kind, of address: String?) -> Int {
        record(kind, of: address, because: cause)
    }

    /// Runs `body`. The events that it records are caused by the event with this number.
    @MainActor
    func causing<Result>(_ cause: Int?, _ body: () throws -> Result) rethrows -> Result {
        let outer = exchange(&self.cause, with: cause)
        defer { self.cause = outer }
        return try body()
    }

    /// Adds a listener that keeps at most `limit` events for its reader, the newest ones.
    func listen(limit: Int) -> ActivityEvents {
        let queue = ActivityQueue(limit: limit)
        let (number, lastID, isFirst) = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = queue
            return (state.lastListener, state.lastID, state.listeners.count == 1)
        }
        if isFirst { listenersChanged() }
        return ActivityEvents(queue, after: lastID) { [weak self] in self?.remove(number) }
    }

    private func remove(_ listener: Int) {
        let (removed, isLast) = state.withLock { state in
            let removed = state.listeners.removeValue(forKey: listener)
            return (removed, removed != nil && state.listeners.isEmpty)
        }
        extendLifetime(removed)
        if isLast { listenersChanged() }
    }
}
