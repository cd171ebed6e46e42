import Foundation

/// How old data and error are, and whether that is young enough. Pure, and cheap to ask.
///
/// Ages are measured on the monotonic clock: setting the wall clock neither freezes data nor outdates it.
struct Freshness: Equatable {
    /// The monotonic times in seconds at which data and error were current; never in the future, negative for what is
    /// older than the clock, nil without data or error.
    private(set) var dataTime: TimeInterval?
    private(set) var errorTime: TimeInterval?
    private var isInvalidated = false

    /// How long data and errors count, in seconds.
    struct Limits {
        var expirationTime: TimeInterval
        var retryTime: TimeInterval
    }

    /// Whether there is data that is fresh enough, or an error too recent to try again; `now` is monotonic time in
    /// seconds.
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

    /// There is no error any more.
    mutating func endError() {
        errorTime = nil
    }

    /// There is no error any more; data, if there is any, was found to be current.
    mutating func confirmData(at time: TimeInterval) {
        self = Freshness(dataTime: dataTime == nil ? nil : time)
    }

    init() {}

    private init(dataTime: TimeInterval?) {
        self.dataTime = dataTime
    }
}
