public import Foundation
import HTTPRules

extension RequestError {
    /// The time for which the server has asked the client to wait, in seconds from ``timestamp``; nil if the server has
    /// not asked for a wait.
    ///
    /// The value comes from the header `Retry-After` of the response (RFC 9110 §10.2.3). This header contains a number
    /// of seconds or a date. The library compares the date with the `Date` header of the response. If `Retry-After` is
    /// missing, and the status is 403 or 429, the value is the time until the server renews the client's quota of
    /// requests. This time comes from the headers `RateLimit`, `RateLimit-Policy` or `X-RateLimit-…`. In both cases,
    /// the value is at most one day.
    ///
    /// If ``Configuration/retry``, ``Configuration/pacing`` or ``Configuration/offline`` is set,
    /// ``Resource/loadIfNeeded()`` starts no load until this time has passed. A call to ``Resource/invalidate()`` ends
    /// this wait.
    ///
    /// For the codes ``Code/serverUnavailable`` and `tooManyRefreshes`, the value is the number of seconds after which
    /// another attempt can succeed.
    public var retryAfter: TimeInterval? {
        if let time = (cause as? Failure)?.retryAfter { return time }
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
