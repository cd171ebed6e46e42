import Foundation
import Isolation

/// Holds up threads and tasks until it is opened, once and for all. It orders a server and a test without time-outs.
package final class Gate: Sendable {
    private let state = Locked(State.closed([:]))

    private enum State {
        case closed([UUID: @Sendable () -> Void])
        case open
    }

    package init() {}

    /// Opens the gate for all present and future waiters. Opening it again has no effect.
    package func open() {
        let actions = state.withLock { state in
            guard case .closed(let actions) = state else { return [@Sendable () -> Void]() }
            state = .open
            return Array(actions.values)
        }
        for action in actions {
            action()
        }
    }

    /// True if the gate was opened.
    package var isOpen: Bool {
        state.withLock { state in
            if case .open = state { true } else { false }
        }
    }

    /// Suspends the task until the gate is open, or the task is cancelled.
    package func wait() async {
        let arrival = Arrival()
        let ticket = whenOpen { arrival.happen() }
        await withTaskCancellationHandler {
            await arrival.wait()
        } onCancel: {
            arrival.happen()
        }
        forget(ticket)
    }

    /// Suspends the task until the gate or `other` is open, or the task is cancelled.
    package func wait(orUntil other: Gate) async {
        let arrival = Arrival()
        let mine = whenOpen { arrival.happen() }
        let others = other.whenOpen { arrival.happen() }
        await withTaskCancellationHandler {
            await arrival.wait()
        } onCancel: {
            arrival.happen()
        }
        forget(mine)
        other.forget(others)
    }

    /// Blocks the thread until the gate or `other` is open.
    package func block(orUntil other: Gate) {
        let semaphore = DispatchSemaphore(value: 0)
        let mine = whenOpen { semaphore.signal() }
        let others = other.whenOpen { semaphore.signal() }
        semaphore.wait()
        forget(mine)
        other.forget(others)
    }

    /// Calls `action` when the gate is open: at once, or on the thread that opens it.
    private func whenOpen(_ action: @escaping @Sendable () -> Void) -> UUID {
        let ticket = UUID()
        let isOpen = state.withLock { state in
            guard case .closed(var actions) = state else { return true }
            actions[ticket] = action
            state = .closed(actions)
            return false
        }
        if isOpen {
            action()
        }
        return ticket
    }

    private func forget(_ ticket: UUID) {
        state.withLock { state in
            guard case .closed(var actions) = state else { return }
            actions[ticket] = nil
            state = .closed(actions)
        }
    }
}

/// One wait of one task, which the first of several events ends.
private final class Arrival: Sendable {
    private let state = Locked(State.expected)

    private enum State {
        case expected
        case awaited(CheckedContinuation<Void, Never>)
        case happened
    }

    func happen() {
        let waiting = state.withLock { state in
            defer { state = .happened }
            guard case .awaited(let continuation) = state else { return CheckedContinuation<Void, Never>?.none }
            return continuation
        }
        waiting?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if case .happened = state { return true }
                state = .awaited(continuation)
                return false
            }
            if isOver {
                continuation.resume()
            }
        }
    }
}
