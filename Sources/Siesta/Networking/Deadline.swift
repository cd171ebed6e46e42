import Foundation

/// An action that runs once at a certain time, on a global queue, unless it is cancelled before.
///
/// Cancelling releases the timer and the action at once, even if the deadline is far away.
final class Deadline: @unchecked Sendable {  // sound: a dispatch source may be used from any thread
    private let timer = DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated))

    /// Calls `action` after this number of seconds of the monotonic clock.
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
