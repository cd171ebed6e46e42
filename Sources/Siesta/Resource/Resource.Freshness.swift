import Foundation

extension Resource {
    /// How old a resource's data and error are, and whether that is young enough. Pure, and cheap to ask.
    ///
    /// Ages are measured on the monotonic clock: setting the wall clock neither freezes data nor outdates it.
    struct Freshness {
        /// The monotonic times in seconds at which data and error were current; never in the future, negative for what is older than
        /// the clock, nil without data or error.
        private(set) var dataTime: TimeInterval?
        private(set) var errorTime: TimeInterval?
        private var isInvalidated = false

        /// Whether there is data that is fresh enough, or an error too recent to try again.
        ///
        /// All in seconds; `now` is monotonic time.
        func isUpToDate(at now: TimeInterval, expirationTime: TimeInterval, retryTime: TimeInterval) -> Bool {
            guard !isInvalidated else { return false }
            if let errorTime { return now - max(errorTime, dataTime ?? errorTime) <= retryTime }
            guard let dataTime else { return false }
            return now - dataTime <= expirationTime
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

        /// There is no error any more; data, if there is any, was found to be current.
        mutating func confirmData(at time: TimeInterval) {
            self = Freshness(dataTime: dataTime == nil ? nil : time)
        }

        init() {}

        private init(dataTime: TimeInterval?) {
            self.dataTime = dataTime
        }
    }
}
