import Foundation

/// The planned times of the automatic attempts of each resource, which are at least 0.1 seconds apart. Pure.
struct AttemptTimes {
    private var last: [ObjectIdentifier: TimeInterval] = [:]
    private var countAtNextSweep = 64

    /// Returns the time of a new attempt: `time`, or a later time if another attempt is too near. All times are
    /// monotonic, in seconds.
    mutating func reserve(_ resource: ObjectIdentifier, at time: TimeInterval, now: TimeInterval) -> TimeInterval {
        if last.count >= countAtNextSweep {
            last = last.filter { $0.value > now - RetryRules.minimumDelay }
            countAtNextSweep = max(64, 2 * last.count)
        }
        let planned = last[resource] ?? -.infinity
        let isNear = abs(time - planned) < RetryRules.minimumDelay
        let reserved = isNear ? planned + RetryRules.minimumDelay : time
        last[resource] = max(planned, reserved)
        return reserved
    }
}
