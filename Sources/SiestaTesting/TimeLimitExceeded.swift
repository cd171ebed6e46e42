import Foundation

/// The error of a wait that did not end within its time limit. The error names the expected and the actual state.
package struct TimeLimitExceeded: LocalizedError, CustomStringConvertible {
    /// The expected state, and the state at the end of the wait.
    package let description: String

    /// The same text as ``description``.
    package var errorDescription: String? { description }
}

extension AwaitedCount {
    /// Waits until the count is at least `goal`.
    ///
    /// - Parameter failure: Returns the description of the error if the time limit is exceeded.
    /// - Throws: `CancellationError` if the task is cancelled, or ``TimeLimitExceeded``.
    func wait(for goal: Int, timeLimit: Duration, failure: () -> String) async throws {
        switch await reaches(goal, timeLimit: timeLimit) {
        case .reached: return
        case .cancelled: throw CancellationError()
        case .timeLimitExceeded: throw TimeLimitExceeded(description: "Waited \(timeLimit) for \(failure())")
        }
    }
}
