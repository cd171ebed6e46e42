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

extension RequestError.Cause {
    /// The request has taken longer than ``Configuration/timeLimit``, with all its attempts and waits.
    ///
    /// If it was sent, the server may have carried it out.
    public struct TimeLimitExceeded: LocalizedError {
        /// The limit, in seconds.
        public let limit: TimeInterval

        public init(limit: TimeInterval) {
            self.limit = limit
        }

        /// The message ``UserMessages/timeLimitExceeded``.
        public var errorDescription: String? { UserMessages.current.timeLimitExceeded }
    }
}

extension RequestError {
    /// The time for which the server has asked the client to wait, in seconds from ``timestamp``; nil if it has not.
    ///
    /// The value comes from the field `Retry-After` of the response (RFC 9110 §10.2.3): a number of seconds, or a date,
    /// which is compared with the `Date` of the response. If this field is missing and the status is 403 or 429, the
    /// value is the time until the quota is renewed, from the fields `RateLimit`, `RateLimit-Policy` or `X-RateLimit-…`.
    /// It is at most one day. If retries, pacing or waits for the network are on (``Configuration/retry``,
    /// ``Configuration/pacing``, ``Configuration/offline``), ``Resource/loadIfNeeded()`` starts no load before this time,
    /// unless ``Resource/invalidate()`` is called.
    public var retryAfter: TimeInterval? {
        if let cause = cause as? Cause.ServerUnavailable { return cause.retryAfter }
        guard let entity else { return nil }
        return RetryAfter.seconds(status: httpStatusCode ?? 0, now: date) { entity.header(forKey: $0) }
    }
}

extension RetryAfter {
    /// Returns the time in seconds for which a response with these fields asks the client to send no request.
    package static func seconds(status: Int, now: Date, _ field: (String) -> String?) -> TimeInterval? {
        if let asked = seconds(field("retry-after"), date: field("date"), now: now) { return asked }
        return [403, 429].contains(status) ? RateLimitFields(field).opening(now: now) : nil
    }
}
