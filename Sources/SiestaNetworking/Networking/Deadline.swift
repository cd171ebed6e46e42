import Foundation
import Isolation

/// An action that runs once at a certain time, on a global queue, unless it is cancelled earlier.
///
/// Cancelling releases the timer and the action at once, even if the deadline is far away.
final class Deadline: Sendable {
    private let timer: Locked<any DispatchSourceTimer>

    /// Calls `action` after `seconds` of the monotonic clock.
    init(after seconds: TimeInterval, action: @escaping @Sendable () -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated))
        timer.setEventHandler(handler: action)
        timer.schedule(deadline: .now() + seconds)
        timer.activate()
        self.timer = Locked(timer)
    }

    deinit {
        cancel()
    }

    func cancel() {
        timer.withLock { $0.cancel() }
    }
}
