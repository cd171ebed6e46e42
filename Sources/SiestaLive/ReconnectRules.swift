import Foundation
import HTTPRules

/// The rules for the times at which a stream connects again. Pure; all times are in seconds.
///
/// The delay doubles with each connection that ends, from ``firstDelay`` to ``longestDelay``. A connection that has lasted
/// ``steadyTime`` resets it. A server that ends each connection at once is asked about 100 times in an hour.
struct ReconnectRules: Sendable {
    /// The delay after the first end, unless the server asks for another one.
    static let firstDelay: TimeInterval = 1
    static let longestDelay: TimeInterval = 30
    /// The time after which a connection counts as working.
    static let steadyTime: TimeInterval = 60
    /// The bounds of what a server can ask for.
    static let shortestAsked: TimeInterval = 0.1
    static let longestAsked: TimeInterval = 3600

    private var ends = 0
    private var openTime: TimeInterval?
    /// The delay for which the server has asked in the stream; nil if it has not.
    var asked: TimeInterval?

    /// Notes the head of a response. `now` is monotonic time.
    mutating func opened(at now: TimeInterval) { openTime = now }

    /// Returns the delay after the end of a connection.
    ///
    /// - Parameters:
    ///   - now: The monotonic time.
    ///   - retryAfter: The time for which the response asks; nil if it does not.
    ///   - fraction: A random number from 0 to 1, which shortens the delay by up to half of it.
    mutating func delay(at now: TimeInterval, retryAfter: TimeInterval?, fraction: Double) -> TimeInterval {
        if let openTime, now - openTime >= Self.steadyTime { ends = 0 }
        openTime = nil
        let first = min(max(asked ?? Self.firstDelay, Self.shortestAsked), Self.longestAsked)
        let backoff = Backoff(first: first, limit: max(first, Self.longestDelay), jitter: 0.5)
        defer { ends += 1 }
        return max(backoff.delay(doublings: ends, fraction: 1 - fraction), min(retryAfter ?? 0, Self.longestAsked))
    }
}
