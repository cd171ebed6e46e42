import Foundation

/// A value that follows another one smoothly, as a progress bar shows it. Pure.
///
/// The distance shrinks exponentially: to a third within 0.12 seconds. Therefore the speed does not depend on how often the
/// value is updated.
struct SmoothProgress {
    /// The value to show. Never decreases.
    private(set) var value = 0.0
    private var lastUpdate: TimeInterval?

    /// The time in which the distance shrinks to 37 %, in seconds.
    private static let timeConstant = 0.12
    /// The distance at which the value counts as reached.
    private static let tolerance = 0.004

    /// Moves the value towards `target`, to its place at `now`, in seconds of any clock that does not go back.
    mutating func approach(_ target: Double, at now: TimeInterval) {
        let elapsed = max(0, now - (lastUpdate ?? now))
        lastUpdate = now
        guard target > value else { return }
        let next = value + (target - value) * (1 - exp(-elapsed / Self.timeConstant))
        value = target - next < Self.tolerance ? target : next
    }
}
