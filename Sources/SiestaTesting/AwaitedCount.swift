import Dispatch
import Isolation

/// A count, and the tasks that wait until it has reached their goals. Any thread may use it.
final class AwaitedCount: Sendable {
    /// The end of a wait.
    enum Outcome: Sendable {
        case reached, timeLimitExceeded, cancelled
    }

    private struct Waiter: Sendable {
        let goal: Int
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private struct State: Sendable {
        var count = 0
        var lastNumber = 0
        var waiters: [Int: Waiter] = [:]

        mutating func takeReached() -> [Waiter] {
            let reached = waiters.filter { $0.value.goal <= count }
            for number in reached.keys { waiters[number] = nil }
            return Array(reached.values)
        }
    }

    private let state = Locked(State())

    /// Changes the count, and resumes the tasks whose goal is reached.
    func add(_ difference: Int) {
        let reached = state.withLock { state in
            state.count += difference
            return state.takeReached()
        }
        for waiter in reached { waiter.continuation.resume(returning: .reached) }
    }

    /// Waits until the count is at least `goal`. If it is already, returns at once, even if the task is cancelled.
    func reaches(_ goal: Int, timeLimit: Duration) async -> Outcome {
        guard state.withLock({ $0.count }) < goal else { return .reached }
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(number, Waiter(goal: goal, continuation: continuation), timeLimit)
            }
        } onCancel: {
            end(number, .cancelled)
        }
    }

    private func begin(_ number: Int, _ waiter: Waiter, _ timeLimit: Duration) {
        let reached = state.withLock { state in
            state.waiters[number] = waiter
            return state.takeReached()
        }
        for waiter in reached { waiter.continuation.resume(returning: .reached) }
        if Task.isCancelled { end(number, .cancelled) }  // The handler may have run before the waiter was entered.
        DispatchQueue.global().asyncAfter(deadline: .now() + timeLimit.seconds) { [weak self] in
            self?.end(number, .timeLimitExceeded)
        }
    }

    private func end(_ number: Int, _ outcome: Outcome) {
        state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(returning: outcome)
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
