import Dispatch
import Isolation
import SiestaCore

/// The run of one step that may hang.
@MainActor
enum TimedStep {
    enum End {
        case done
        case failed(any Error)
        case hangs
    }

    /// Runs `work` in a task, and waits for its end or for the time limit. Cancels the work at the time limit, or if
    /// the waiting task is cancelled.
    static func run(within limit: Duration, _ work: @escaping () async throws -> Void) async -> End {
        let (ends, end) = AsyncStream.makeStream(of: UncheckedSendable<End>.self)
        let task = Task {
            do {
                try await work()
                end.yield(UncheckedSendable(.done))
            } catch {
                end.yield(UncheckedSendable(.failed(error)))
            }
            end.finish()
        }
        let watch = Watch.shared.watch(for: limit) {
            end.yield(UncheckedSendable(.hangs))
            end.finish()
        }
        defer { Watch.shared.end(watch) }
        for await first in ends {
            if case .hangs = first.value { task.cancel() }
            return first.value
        }
        task.cancel()
        return .failed(CancellationError())
    }
}

/// The time limits of the running steps. One timer checks them all, because most steps end at once, and a timer for
/// each would stay in memory until its time.
///
/// Only time in which the main thread has time for the step counts. While other work occupies the main thread, or the
/// machine is overloaded, the step is not what hangs.
private final class Watch: Sendable {
    static let shared = Watch()

    private static let interval = 20

    private struct Entry {
        var remaining: Duration
        let action: @Sendable () -> Void
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var last = 0
        var isTicking = false
    }

    private let state = Locked(State())

    func watch(for limit: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
        let (number, begins) = state.withLock { state in
            defer { state.isTicking = true }
            state.last += 1
            state.entries[state.last] = Entry(remaining: limit, action: action)
            return (state.last, !state.isTicking)
        }
        if begins { tick() }
        return number
    }

    func end(_ number: Int) {
        _ = state.withLock { $0.entries.removeValue(forKey: number) }
    }

    /// Counts a short time after the main thread has had its turn, and again while there are steps.
    private func tick() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Self.interval)) {
            DispatchQueue.main.async { self.count() }
        }
    }

    /// Ends the steps whose time is over.
    private func count() {
        let (due, continues) = state.withLock { state in
            for number in state.entries.keys { state.entries[number]?.remaining -= .milliseconds(Self.interval) }
            let due = state.entries.filter { $0.value.remaining <= .zero }
            for number in due.keys { state.entries[number] = nil }
            state.isTicking = !state.entries.isEmpty
            return (due.values.map(\.action), state.isTicking)
        }
        for action in due { action() }
        if continues { tick() }
    }
}
