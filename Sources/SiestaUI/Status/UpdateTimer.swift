import Foundation
import Siesta

/// A timer that makes a model update itself. It may fire early, because it is not moved to a later time.
///
/// Therefore thousands of updates in a row need only one timer.
@MainActor
final class UpdateTimer {
    private var due: TimeInterval?

    /// Calls `update` on the main actor within `delay` seconds, unless the timer is due before. Does nothing if `delay` is
    /// nil.
    func fire(within delay: TimeInterval?, on clock: SiestaClock, _ update: @escaping () -> Void) {
        guard let delay else { return }
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
