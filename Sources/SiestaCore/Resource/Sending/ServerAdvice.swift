package import Foundation
import HTTPRules

/// The times before which a server wants no further request, from one of its responses.
package struct ServerAdvice {
    /// The status of the response; 0 if there was no response.
    let status: Int
    /// The URL of the response after all redirects; nil if it is unknown.
    package let url: URL?
    /// The origin of the last request if there was no response; nil if it is unknown.
    package let failedOrigin: String?
    /// The time for which the server asks to send no request, in seconds; nil if it does not. See
    /// ``RequestError/retryAfter``.
    package let retryAfter: TimeInterval?
    /// The time in seconds until the quota is renewed; nil if it is not used up, or if it was not read. From `RateLimit`
    /// and similar fields.
    let quota: TimeInterval?

    /// Reads the fields of a response that arrives now. `readsQuota` is true if the request follows quotas.
    init(_ response: NetworkResponse, at clock: SiestaClock, readsQuota: Bool) {
        failedOrigin = response.failedOrigin
        guard let head = response.head else {
            (status, url, retryAfter, quota) = (0, nil, nil, nil)
            return
        }
        let now = Date(timeIntervalSinceReferenceDate: clock.wallTime)
        (status, url) = (head.status, head.url)
        retryAfter =
            status >= 300 ? RetryAfter.seconds(status: status, now: now) { head.fields[$0] } : nil
        quota = !readsQuota ? nil : RateLimitFields { head.fields[$0] }.opening(now: now)
    }

    /// The time in seconds for which the server wants no request; nil if it accepts requests.
    package var closing: TimeInterval? {
        let asked = [429, 503].contains(status) ? retryAfter : nil
        return [asked, quota].compactMap { $0 }.max()
    }
}
