public import Foundation
import SiestaCore

/// The maximum number of times that a session refreshes its credential in a period. The number includes failed
/// refreshes.
///
/// Requests that need another refresh wait until the limit allows it. If the limit delays a refresh by more than a
/// minute, the requests that need it fail with ``RequestError/Code/tooManyRefreshes`` instead. A sign-in resets the
/// count. The default is 5 refreshes in 30 seconds.
public struct RefreshLimit: Sendable {
    /// The number of refreshes; at least 1.
    package let count: Int

    /// The period, in seconds.
    package let period: TimeInterval

    /// 5 refreshes in 30 seconds.
    public static let standard = RefreshLimit(5, per: 30)

    /// Creates a limit of `count` refreshes in `period` seconds.
    ///
    /// - Parameters:
    ///   - count: The maximum number of refreshes in the period. A value below 1 counts as 1.
    ///   - period: The length of the period, in seconds. A value that is not positive means no limit. A value greater
    ///     than 3600 counts as 3600.
    public init(_ count: Int, per period: TimeInterval) {
        self.count = max(1, count)
        self.period = period > 0 ? min(period, 3600) : 0
    }

    /// Returns the time at which the next refresh may begin.
    ///
    /// - Parameter times: The times at which the last refreshes began, in order. Those that do not count any more are
    ///   removed.
    func next(after times: inout [TimeInterval], at now: TimeInterval) -> TimeInterval {
        times.removeAll { $0 <= now - period }
        return times.count < count ? now : times[times.count - count] + period
    }
}
