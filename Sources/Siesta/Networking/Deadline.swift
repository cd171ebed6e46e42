import Foundation

/// An action that happens at a point in time, once, on a global queue, unless it is cancelled before.
///
/// Cancelling frees the timer and the action at once, however far the deadline is.
final class Deadline: @unchecked Sendable {  // sound: a dispatch source may be used from any thread
    private let timer = DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated))

    /// Calls `action` after so many seconds of the monotonic clock.
    init(after seconds: TimeInterval, action: @escaping @Sendable () -> Void) {
        timer.setEventHandler(handler: action)
        timer.schedule(deadline: .now() + seconds)
        timer.activate()
    }

    deinit {
        timer.cancel()
    }

    func cancel() {
        timer.cancel()
    }
}
