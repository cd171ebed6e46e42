package import Foundation

/// Delays that double with each attempt, up to a limit, and of which a random part is left out. Pure; all times are in
/// seconds.
package struct Backoff: Sendable {
    /// The longest first delay.
    private let first: TimeInterval
    /// The limit of all delays.
    private let limit: TimeInterval
    /// The part of a delay that may be left out, from 0 to 1.
    private let jitter: Double

    /// Negative times and NaN count as 0.
    package init(first: TimeInterval, limit: TimeInterval, jitter: Double) {
        (self.first, self.limit, self.jitter) = (max(0, first), max(0, limit), jitter)
    }

    /// Returns the delay after a number of doublings.
    ///
    /// - Parameter fraction: A random number from 0 to 1; the delay is longest at 1.
    package func delay(doublings: Int, fraction: Double) -> TimeInterval {
        let longest = min(first * pow(2, Double(min(max(0, doublings), 60))), limit)
        return longest * (1 - jitter * (1 - min(max(0, fraction), 1)))
    }
}
