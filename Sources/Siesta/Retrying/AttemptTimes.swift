import Foundation

/// The planned times of the automatic attempts of each resource, which are at least 0.1 seconds apart. Pure.
///
/// A reservation takes logarithmic time on average if the attempts of a resource are close together. Thousands of
/// requests of one resource may be planned for the same time.
struct AttemptTimes {
    /// Attempts between which no other attempt fits.
    fileprivate struct Run {
        var first: TimeInterval
        var last: TimeInterval
    }

    /// The runs of each resource, the earliest first.
    private var planned: [ObjectIdentifier: [Run]] = [:]
    private var sweepLimit = SweepLimit()

    /// Returns the time of a new attempt: `time`, or a later time if another attempt is too near. All times are
    /// monotonic, in seconds.
    mutating func reserve(_ resource: ObjectIdentifier, at time: TimeInterval, now: TimeInterval) -> TimeInterval {
        let past = now - RetryRules.minimumDelay
        if sweepLimit.isReached(by: planned.count) {
            planned = planned.filter { ($0.value.last?.last ?? past) > past }
            sweepLimit.noteSweep(leaving: planned.count)
        }
        return Self.reserve(time, in: &planned[resource, default: []], after: past)
    }

    private static func reserve(
        _ time: TimeInterval, in runs: inout [Run], after past: TimeInterval
    ) -> TimeInterval {
        runs.removeFirst(runs.firstIndex { $0.last > past } ?? runs.count)
        let distance = RetryRules.minimumDelay
        let next = runs.firstIndex(from: time - distance)
        let isFree = next == runs.count || time + distance <= runs[next].first
        let reserved = isFree ? time : runs[next].last + distance
        if isFree { runs.insert(Run(first: time, last: time), at: next) } else { runs[next].last = reserved }
        runs.join(next, within: 2 * distance)
        if next > 0 { runs.join(next - 1, within: 2 * distance) }
        return reserved
    }
}

extension [AttemptTimes.Run] {
    /// Returns the position of the first run that ends after `time`. The position is the number of runs if there is
    /// none.
    fileprivate func firstIndex(from time: TimeInterval) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].last > time { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Joins a run with the next one if no attempt fits between them.
    fileprivate mutating func join(_ index: Int, within gap: TimeInterval) {
        guard index + 1 < count, self[index + 1].first - self[index].last < gap else { return }
        self[index].last = self[index + 1].last
        remove(at: index + 1)
    }
}
