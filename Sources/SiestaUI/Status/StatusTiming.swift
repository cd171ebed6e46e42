import Foundation

/// The rule that keeps quick loads from flashing: a load is shown after a delay, and then for a minimum time. Pure.
///
/// Times are in seconds of any clock that does not go back.
struct StatusTiming<Display> {
    /// The time for which a load must run before it is shown, in seconds.
    var loadingDelay: TimeInterval
    /// The time for which a load that is shown stays visible, in seconds.
    var minimumLoadingTime: TimeInterval
    /// The time since which a load should be shown; nil if no load should be.
    private var wantedSince: TimeInterval?
    /// The time since which a load is shown; nil if no load is shown.
    private var shownSince: TimeInterval?

    /// The result of an update.
    struct Result {
        /// The value to show now.
        var display: Display
        /// The time at which the result may change although nothing else changes; nil if there is none.
        var nextUpdate: TimeInterval?
    }

    init(loadingDelay: TimeInterval, minimumLoadingTime: TimeInterval) {
        (self.loadingDelay, self.minimumLoadingTime) = (loadingDelay, minimumLoadingTime)
    }

    /// Returns the value to show at `now`.
    ///
    /// - Parameters:
    ///   - wanted: The value that the rules have decided, and whether it shows a load.
    ///   - shown: The value that is shown before.
    mutating func update(
        _ wanted: Display, isLoading: Bool, shown: Display, at now: TimeInterval
    ) -> Result {
        if isLoading { return waitBeforeLoading(wanted, shown, now) }
        wantedSince = nil
        guard let since = shownSince, now < since + minimumLoadingTime else {
            shownSince = nil
            return Result(display: wanted)
        }
        return Result(display: shown, nextUpdate: since + minimumLoadingTime)
    }

    private mutating func waitBeforeLoading(_ wanted: Display, _ shown: Display, _ now: TimeInterval) -> Result {
        let since = wantedSince ?? now
        wantedSince = since
        guard shownSince == nil, now < since + loadingDelay else {
            shownSince = shownSince ?? now
            return Result(display: wanted)
        }
        return Result(display: shown, nextUpdate: since + loadingDelay)
    }
}
