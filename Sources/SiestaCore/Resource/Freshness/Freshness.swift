package import Foundation

/// The ages of a resource's data and error, and the rule that decides whether they are fresh. Pure.
///
/// Ages are measured with the monotonic clock, so that a change of the wall clock does not change them.
package struct Freshness: Equatable {
    /// The monotonic times, in seconds, at which data and error were current; nil without data or error. The time of
    /// data is never in the future. The time of an error is in the future if the server asks for a longer wait than the
    /// retry time. Times are negative if data or error is older than the clock's zero.
    package var dataTime: TimeInterval? { time(storedDataTime) }
    package var errorTime: TimeInterval? { time(storedErrorTime) }

    /// The times; NaN for none. An optional time would need twice the memory.
    private var storedDataTime = TimeInterval.nan
    private var storedErrorTime = TimeInterval.nan
    /// The time for which the data is fresh by the rules of HTTP, in seconds; nil if the expiration time of the
    /// configuration applies.
    private(set) var lifetime: Lifetime = .configured
    private var marks: Marks = []

    private func time(_ stored: TimeInterval) -> TimeInterval? { stored.isNaN ? nil : stored }

    /// A time in whole seconds. ``configured`` stands for the expiration time of the configuration.
    typealias Lifetime = UInt32

    /// Facts besides the ages. The set is empty for most resources, so that one comparison excludes all of them.
    private struct Marks: OptionSet {
        let rawValue: UInt8

        static let invalidated = Marks(rawValue: 1)
        static let byHTTP = Marks(rawValue: 2)
        /// The data was invalidated. An error does not end this, as it ends ``invalidated``.
        static let outdatedData = Marks(rawValue: 4)
        /// The data is current, whatever its age; see ``guarantee()``.
        static let guaranteed = Marks(rawValue: 8)
    }

    /// The times for which data and errors are fresh, in seconds.
    package struct Limits {
        var expirationTime: TimeInterval
        package var retryTime: TimeInterval
    }

    /// Returns true if there is fresh data, or if the last failure was too recent for another attempt. `now` is
    /// monotonic time in seconds.
    func isUpToDate(at now: TimeInterval, within limits: Limits) -> Bool {
        isPlain ? isPlainUpToDate(at: now, within: limits) : isUpToDateByHTTP(at: now, within: limits)
    }

    /// Does the same in the usual case; see ``isPlain``.
    @inline(__always)
    func isPlainUpToDate(at now: TimeInterval, within limits: Limits) -> Bool {
        if let errorTime { return now - max(errorTime, dataTime ?? errorTime) <= limits.retryTime }
        return now - storedDataTime <= limits.expirationTime  // False without data: NaN is not less than any number.
    }

    /// Does the same if the data or the error has a lifetime by the rules of HTTP. Data is fresh until its lifetime is
    /// over, and not at the end (RFC 9111 §4.2).
    private func isUpToDateByHTTP(at now: TimeInterval, within limits: Limits) -> Bool {
        guard !isInvalidated else { return false }
        // A failure counts for the retry time, also if the data is current. Otherwise nothing would end it.
        if let errorTime { return now - max(errorTime, dataTime ?? errorTime) <= limits.retryTime }
        if marks != .byHTTP, isGuaranteed { return true }
        return hasYoungData(at: now, within: limits)
    }

    /// Returns true if the data is fresh, whatever the age of the error.
    func hasFreshData(at now: TimeInterval, within limits: Limits) -> Bool {
        !isInvalidated && (isGuaranteed || hasYoungData(at: now, within: limits))
    }

    /// Returns true if there is data whose age is below its lifetime.
    private func hasYoungData(at now: TimeInterval, within limits: Limits) -> Bool {
        guard let dataTime else { return false }
        guard lifetime != .configured else { return now - dataTime <= limits.expirationTime }
        return !hasOutdatedData && now - dataTime < TimeInterval(lifetime)
    }

    var isInvalidated: Bool { marks.contains(.invalidated) }

    /// True if the data was invalidated, and neither replaced nor confirmed since then.
    var hasOutdatedData: Bool { marks.contains(.outdatedData) }

    /// True if the data or the error has a lifetime by the rules of HTTP.
    var isByHTTP: Bool { marks.contains(.byHTTP) }

    /// True if the data is current, whatever its age.
    package var isGuaranteed: Bool { marks.contains(.guaranteed) && !storedDataTime.isNaN }

    /// Makes the data current, whatever its age, until this ends, or until other data or a confirmation replaces it. An
    /// invalidation counts all the same.
    mutating func guarantee() {
        marks.insert(.guaranteed)
    }

    /// Ends the guarantee: from now on, the data has the age of data that was confirmed at `time`.
    mutating func endGuarantee(at time: TimeInterval) {
        guard marks.remove(.guaranteed) != nil, !storedDataTime.isNaN else { return }
        storedDataTime = time
    }

    /// True in the usual case: the data is not invalidated, and only the times of the configuration count.
    var isPlain: Bool { marks.isEmpty }

    mutating func invalidate() {
        marks.formUnion([.invalidated, .outdatedData])
    }

    /// Sets the time of new data. Removes the error.
    mutating func setData(at time: TimeInterval, lifetime: Lifetime = .configured) {
        self = Freshness(dataTime: time, lifetime: lifetime)
    }

    mutating func setError(at time: TimeInterval, isByHTTP: Bool = false) {
        storedErrorTime = time
        marks.remove(.invalidated)
        if isByHTTP { marks.insert(.byHTTP) }
    }

    mutating func endError() {
        storedErrorTime = .nan
    }

    /// Removes the error, and marks the data, if any, as current at `time`.
    mutating func confirmData(at time: TimeInterval, lifetime: Lifetime = .configured) {
        self = Freshness(dataTime: storedDataTime.isNaN ? .nan : time, lifetime: lifetime)
    }

    init() {}

    private init(dataTime: TimeInterval, lifetime: Lifetime) {
        storedDataTime = dataTime
        self.lifetime = lifetime
        if lifetime != .configured { marks = .byHTTP }
    }

    package static func == (left: Freshness, right: Freshness) -> Bool {
        left.dataTime == right.dataTime && left.errorTime == right.errorTime && left.lifetime == right.lifetime
            && left.marks == right.marks
    }
}

extension Freshness.Lifetime {
    /// The value that stands for the expiration time of the configuration.
    static let configured = UInt32.max
}
