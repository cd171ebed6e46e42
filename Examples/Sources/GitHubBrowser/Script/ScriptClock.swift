import Foundation
import Siesta
import Synchronization

/// The machine's clock, with hours that pass at once.
final class ScriptClock: Sendable {
    private let offset = Mutex<TimeInterval>(0)

    /// The clock to make the service with.
    var clock: SiestaClock {
        SiestaClock(
            wallTime: { SiestaClock.system.wallTime + self.offset.withLock { $0 } },
            monotonicTime: { SiestaClock.system.monotonicTime + self.offset.withLock { $0 } },
            schedule: { SiestaClock.system.schedule(after: $0, $1) })
    }

    /// Lets seconds pass.
    func skip(_ seconds: TimeInterval) {
        offset.withLock { $0 += seconds }
    }
}
