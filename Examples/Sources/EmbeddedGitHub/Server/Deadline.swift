import Foundation

/// A point on the monotonic clock, or never.
struct Deadline: Sendable {
    private let instant: ContinuousClock.Instant?

    /// Some seconds from now; negative ones and NaN count as none, and more than a century as never.
    init(after seconds: TimeInterval) {
        let isFinite = seconds < 3_200_000_000
        instant = seconds.isNaN ? .now : isFinite ? .now + .seconds(max(seconds, 0)) : nil
    }

    /// How long `poll` may wait, rounded up to milliseconds so that it does not wake too early; -1 is forever.
    var milliseconds: Int32 {
        guard let instant else { return -1 }
        let rest = ContinuousClock.now.duration(to: instant).components
        guard rest.seconds >= 0, rest.attoseconds >= 0 else { return 0 }
        let milliseconds = rest.seconds * 1000 + (rest.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: milliseconds)
    }

    /// Whether it has come.
    var isOver: Bool { milliseconds == 0 }
}
