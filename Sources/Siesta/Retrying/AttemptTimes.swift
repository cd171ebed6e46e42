import Foundation

/// The planned times of the automatic attempts of each resource, which are at least 0.1 seconds apart. Pure.
struct AttemptTimes {
    private var planned: [ObjectIdentifier: [TimeInterval]] = [:]
    private var sweepLimit = SweepLimit()

    /// Returns the time of a new attempt: `time`, or a later time if another attempt is too near. All times are
    /// monotonic, in seconds.
    mutating func reserve(_ resource: ObjectIdentifier, at time: TimeInterval, now: TimeInterval) -> TimeInterval {
        let past = now - RetryRules.minimumDelay
        if sweepLimit.isReached(by: planned.count) {
            planned = planned.filter { $0.value.contains { $0 > past } }
            sweepLimit.noteSweep(leaving: planned.count)
        }
        var times = (planned[resource] ?? []).filter { $0 > past }
        var reserved = time
        for other in times where abs(reserved - other) < RetryRules.minimumDelay {
            reserved = other + RetryRules.minimumDelay
        }
        times.insert(reserved, at: times.firstIndex { $0 > reserved } ?? times.count)
        planned[resource] = times
        return reserved
    }
}
