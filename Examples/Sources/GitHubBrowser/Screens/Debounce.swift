import Dispatch

/// Runs an action once nobody has asked for another one for a while.
@MainActor
final class Debounce {
    private let delay: DispatchTimeInterval
    private var timer: (any DispatchSourceTimer)?
    private var action: (@MainActor () -> Void)?

    /// Creates one that waits for a quarter of a second by default.
    init(delay: DispatchTimeInterval = .milliseconds(250)) {
        self.delay = delay
    }

    /// Whether an action waits.
    var isWaiting: Bool { action != nil }

    /// Lets an action wait in place of the one that waits already.
    func schedule(_ action: @escaping @MainActor () -> Void) {
        cancel()
        self.action = action
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + delay)
        timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.fire() } }
        timer.activate()
        self.timer = timer
    }

    /// Runs at once what waits.
    func fire() {
        let action = action
        cancel()
        action?()
    }

    /// Forgets what waits.
    func cancel() {
        timer?.cancel()
        (timer, action) = (nil, nil)
    }
}
