import Foundation
import SiestaCore

/// The planned times of the automatic attempts of one resource, which are at least 0.1 seconds apart.
///
/// A reservation takes logarithmic time on average if the attempts are close together. Thousands of requests of one
/// resource may be planned for the same time.
final class AttemptTimes: ResourceExtension {
    /// Attempts between which no other attempt fits.
    fileprivate struct Run {
        var first: TimeInterval
        var last: TimeInterval
    }

    /// The earliest first.
    private var runs: [Run] = []

    /// Returns the time of a new attempt: `time`, or a later time if another attempt is too near. All times are
    /// monotonic, in seconds.
    func reserve(_ time: TimeInterval, now: TimeInterval) -> TimeInterval {
        let past = now - RetryRules.minimumDelay
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
