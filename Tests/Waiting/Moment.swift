import Dispatch

/// Moments that a timer determines.
///
/// Only for events that may happen at any time: a cancel or a kill in the middle of an operation. No assertion may
/// depend on the length of the delay.
package enum Moment {
    // A queue of its own has a thread even if tests block all threads of the pool.
    private static let queue = DispatchQueue(label: "Tests, moments")

    /// Calls `action` on a queue after a delay.
    package static func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = delay.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: action)
    }

    /// Suspends the task for a delay.
    package static func after(_ delay: Duration) async {
        await withCheckedContinuation { continuation in
            after(delay) { continuation.resume() }
        }
    }
}
