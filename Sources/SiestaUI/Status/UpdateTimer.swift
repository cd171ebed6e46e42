import Foundation
import SiestaCore

/// A timer that makes a model update itself. It may fire early, because it is not moved to a later time.
///
/// Therefore thousands of updates in a row need only one timer.
@MainActor
final class UpdateTimer {
    private var due: TimeInterval?

    /// The shortest delay, in seconds. Without it, a time that rounding makes due too early could cause thousands of updates.
    private static let minimumDelay = 0.001

    /// Calls `update` on the main actor within `delay` seconds, unless the timer is due before. Does nothing if `delay` is
    /// nil.
    func fire(within delay: TimeInterval?, on clock: SiestaClock, _ update: @escaping () -> Void) {
        guard let delay = delay.map({ max($0, Self.minimumDelay) }) else { return }
        let time = clock.monotonicTime + delay
        if let due, due <= time { return }
        due = time
        clock.schedule(after: delay) { [weak self] in
            guard let self, due == time else { return }
            due = nil
            update()
        }
    }
}
