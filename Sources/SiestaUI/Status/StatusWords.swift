package import Foundation
package import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The strings that this module shows, except error messages. An app can replace or translate these strings.
///
///     StatusWords.current.retry = "Réessayer"
///
/// The reason for a failure is the message of a `RequestError`. To translate these messages, use `UserMessages`.
public struct StatusWords: Sendable {
    /// The heading of a message about a failure.
    public var failed = "Could not load"
    /// The heading of a message about a failure that was caused by a missing network connection.
    public var offline = "No network connection"
    /// The heading of a message about a request that waits for the network.
    public var waitingForNetwork = "Waiting for the network"
    /// The heading of a message about a request that waits because the server or the app limits the number of requests.
    public var waitingForTurn = "Waiting"
    /// The heading of a message about a request that will be retried.
    public var retrying = "Trying again"
    /// The title of the button that retries a load.
    public var retry = "Retry"
    /// The label of an activity indicator, for screen readers.
    public var loading = "Loading"
    /// The line for content that receives live updates.
    public var live = "Live"
    /// The line for content whose live updates will continue as soon as the connection is restored.
    public var reconnecting = "Reconnecting"
    /// The line for content whose live updates have ended.
    public var notLive = "Not live"
    /// The label at the end of a list.
    public var endOfList = "No more items"
    /// The label of an image that could not be loaded, for screen readers.
    public var imageFailed = "Image not available"

    /// A closure that returns the text for the time until the next attempt, for example "in 5 s (2 of 3)".
    ///
    /// - Parameters: The number of seconds (at least 1), the number of the retry (starting at 1), and the maximum
    ///   number of retries. If the next attempt is not a retry, the last two arguments are 0.
    public var countdown: @Sendable (_ seconds: Int, _ number: Int, _ limit: Int) -> String = {
        seconds, number, limit in
        let time = seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
        return "in \(time)" + (number > 0 && limit > 0 ? " (\(min(number, limit)) of \(limit))" : "")
    }

    /// The strings that new models use. The default is English. Change the strings before the first model is created.
    @MainActor public static var current = StatusWords()

    /// Creates the English strings.
    public init() {}
}

extension StatusWords {
    /// Returns the message of an error. If the server has asked the client to wait, the message counts down to the end
    /// of the wait.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - now: The wall time, in seconds since the reference date; nil for a message without a countdown.
    package func message(for error: RequestError, now: TimeInterval? = nil) -> StatusMessage {
        let isOffline = error.isOffline
        let seconds = now.flatMap { Self.seconds(until: error.nextRequestTime, now: $0) }
        return StatusMessage(
            kind: isOffline ? .offline : .failure, heading: isOffline ? offline : failed,
            detail: isOffline ? "" : error.userMessage, countdown: seconds.map { countdown($0, 0, 0) } ?? "",
            retryTitle: retry)
    }

    /// Returns the message to show during a wait.
    ///
    /// - Parameters:
    ///   - wait: The wait, for example the `retry` of a resource.
    ///   - now: The wall time, in seconds since the reference date.
    package func message(for wait: Resource.Retry, now: TimeInterval) -> StatusMessage {
        let seconds = Self.seconds(until: wait.date?.timeIntervalSinceReferenceDate, now: now)
        let countdown = seconds.map { self.countdown($0, wait.number, wait.limit) } ?? ""
        switch wait.reason {
        case .offline: return StatusMessage(kind: .offline, heading: waitingForNetwork)
        case .rate, .concurrency:
            return StatusMessage(kind: .waiting, heading: waitingForTurn, countdown: countdown)
        case .server:
            return StatusMessage(
                kind: .waiting, heading: waitingForTurn, detail: wait.error?.userMessage ?? "", countdown: countdown)
        case .connection, .status, .other:
            return StatusMessage(
                kind: wait.error?.isOffline == true ? .offline : .waiting, heading: retrying,
                detail: wait.error?.userMessage ?? "", countdown: countdown, retryTitle: retry)
        }
    }

    /// Returns the line about live updates.
    package func line(for kind: LiveLine.Kind) -> LiveLine {
        switch kind {
        case .live: LiveLine(kind: kind, text: live)
        case .reconnecting: LiveLine(kind: kind, text: reconnecting)
        case .notLive: LiveLine(kind: kind, text: notLive)
        }
    }

    /// Returns the time until the next attempt, in whole seconds, rounded up; nil if it is unknown or has passed.
    private static func seconds(until time: TimeInterval?, now: TimeInterval) -> Int? {
        guard let time else { return nil }
        let seconds = (time - now).rounded(.up)
        return seconds >= 1 ? Int(exactly: min(seconds, 1e9)) : nil
    }
}

extension RequestError {
    /// The time from which on the server accepts a request, in seconds since the reference date; nil if it is unknown.
    var nextRequestTime: TimeInterval? { retryAfter.map { timestamp + $0 } }

    /// True if the request failed because there is no network.
    var isOffline: Bool { (cause as? URLError)?.code == .notConnectedToInternet }
}
