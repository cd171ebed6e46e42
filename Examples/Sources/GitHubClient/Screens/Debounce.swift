package import Foundation
package import Siesta

/// Runs an action once nobody has asked for another one for a while.
@MainActor
package final class Debounce {
    /// The wait in seconds.
    private let delay: TimeInterval
    private let clock: SiestaClock
    private var action: (@MainActor () -> Void)?
    /// The number of the timer that counts. Earlier timers have no effect.
    private var timer = 0

    /// Creates one that waits for a quarter of a second by default.
    package init(delay: TimeInterval = 0.25, clock: SiestaClock = .current) {
        (self.delay, self.clock) = (delay, clock)
    }

    /// Whether an action waits.
    package var isWaiting: Bool { action != nil }

    /// Lets an action wait in place of the one that waits already.
    package func schedule(_ action: @escaping @MainActor () -> Void) {
        cancel()
        self.action = action
        clock.schedule(after: delay) { [weak self, timer] in
            if let self, self.timer == timer { fire() }
        }
    }

    /// Runs at once what waits.
    package func fire() {
        let action = action
        cancel()
        action?()
    }

    /// Forgets what waits.
    package func cancel() {
        timer += 1
        action = nil
    }
}
