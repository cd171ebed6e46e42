import Foundation

/// The ages of a resource's data and error, and the rule that decides whether they are fresh. Pure.
///
/// Ages are measured with the monotonic clock, so that a change of the wall clock does not change them.
struct Freshness: Equatable {
    /// The monotonic times, in seconds, at which data and error were current; nil without data or error. The time of
    /// data is never in the future. The time of an error is in the future if the server asks for a longer wait than the
    /// retry time. Times are negative if data or error is older than the clock's zero.
    private(set) var dataTime: TimeInterval?
    private(set) var errorTime: TimeInterval?
    private(set) var isInvalidated = false

    /// The times for which data and errors are fresh, in seconds.
    struct Limits {
        var expirationTime: TimeInterval
        var retryTime: TimeInterval
    }

    /// Returns true if there is fresh data, or if the last failure was too recent for another attempt. `now` is
    /// monotonic time in seconds.
    func isUpToDate(at now: TimeInterval, within limits: Limits) -> Bool {
        guard !isInvalidated else { return false }
        if let errorTime { return now - max(errorTime, dataTime ?? errorTime) <= limits.retryTime }
        guard let dataTime else { return false }
        return now - dataTime <= limits.expirationTime
    }

    mutating func invalidate() {
        isInvalidated = true
    }

    mutating func setData(at time: TimeInterval) {
        self = Freshness(dataTime: time)
    }

    mutating func setError(at time: TimeInterval) {
        errorTime = time
        isInvalidated = false
    }

    mutating func endError() {
        errorTime = nil
    }

    /// Removes the error, and marks the data, if any, as current at `time`.
    mutating func confirmData(at time: TimeInterval) {
        self = Freshness(dataTime: dataTime == nil ? nil : time)
    }

    init() {}

    private init(dataTime: TimeInterval?) {
        self.dataTime = dataTime
    }
}
