public import Foundation
import HTTPRules

extension RequestError.Cause {
    /// A request was not sent, because its server has asked for a longer wait than ``Pacing/waitLimit``, or because a
    /// ``Pacing/CircuitBreaker`` has found the server to be down.
    public struct ServerUnavailable: LocalizedError {
        /// The time after which a request can be sent again, in seconds from the time of the error.
        public let retryAfter: TimeInterval

        public init(retryAfter: TimeInterval) {
            self.retryAfter = retryAfter
        }

        /// The message ``UserMessages/serverUnavailable``.
        public var errorDescription: String? { UserMessages.current.serverUnavailable }
    }
}

extension RequestError {
    /// The time for which the server asks to send no request, in seconds from ``timestamp``; nil if it does not ask.
    ///
    /// The value comes from the field `Retry-After` of the response (RFC 9110 §10.2.3): a number of seconds, or a date,
    /// which is compared with the `Date` of the response. It is at most one day. If retries, pacing or waits for the
    /// network are on (``Configuration/retry``, ``Configuration/pacing``, ``Configuration/offline``),
    /// ``Resource/loadIfNeeded()`` starts no load before this time, unless ``Resource/invalidate()`` is called.
    public var retryAfter: TimeInterval? {
        if let cause = cause as? Cause.ServerUnavailable { return cause.retryAfter }
        guard let entity else { return nil }
        return RetryAfter.seconds(
            entity.header(forKey: "Retry-After"), date: entity.header(forKey: "Date"), now: date)
    }
}
