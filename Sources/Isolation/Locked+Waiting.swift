/// The tasks that wait at one place of a state until other code has changed the state.
///
/// The code that makes a change takes the tasks out of the state under the lock, and resumes them after the unlocking.
package struct Waiters: Sendable {
    private(set) var tasks: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// Returns the waiting tasks, and removes them.
    package mutating func take() -> Waiters { exchange(&self, with: Waiters()) }

    package var isEmpty: Bool { tasks.isEmpty }

    /// Adds the tasks that wait at another place.
    package mutating func add(_ others: Waiters) { tasks += others.tasks }

    /// Resumes the tasks. Each of them checks its condition again.
    package func resume() {
        for task in tasks { task.resume() }
    }

    fileprivate mutating func append(_ task: CheckedContinuation<Void, Never>) { tasks.append(task) }
}

extension Locked {
    /// Suspends the task until the state meets a condition, which is checked under the lock.
    ///
    /// A cancellation does not end the wait. If a task must end when it is cancelled, its cancellation handler changes
    /// the state so that it meets the condition, and resumes the waiting tasks.
    ///
    /// - Parameter place: the tasks that wait for the same changes. Code that makes such a change must resume them.
    package func wait(in place: WritableKeyPath<State, Waiters>, until isMet: (inout State) -> Bool) async {
        var mustWait = true
        while mustWait {
            await withCheckedContinuation { continuation in
                mustWait = withLock { state in
                    guard !isMet(&state) else { return false }
                    state[keyPath: place].append(continuation)
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        }
    }
}
