public import Foundation
import HTTPRules
public import SiestaCore

/// The rules for sending failed requests again.
///
///     service.configure { $0.retry = .standard }
///     service.configure("/reports/*") { $0.retry.retryLimit = 5 }
///
/// For the app, all attempts are one request. The hooks of this request run once, after the last attempt. While a
/// request waits for its next attempt, ``Resource/retry`` contains the reason and the end of the wait.
///
/// Four rules apply to every policy:
///
/// - A body that can be sent only once is never sent again.
/// - A request waits at least 0.1 seconds before its next attempt.
/// - A request waits at least for the time that the server requests in `Retry-After` (RFC 9110 §10.2.3). If this time
///   is longer than ``retryAfterLimit``, the request is not sent again; see ``RequestError/retryAfter``.
/// - In each minute, the retries to an origin are limited to 20 % of its requests with a retry policy. At least 10
///   retries are possible. All services of the process share this budget. The limit keeps clients from multiplying the
///   load of a failing server.
public struct RetryPolicy: Sendable {
    /// The maximum number of retries. A request is sent at most this number of times plus one. The default is 3. With a
    /// number below 1, failed requests are not sent again.
    public var retryLimit = 3

    /// The maximum delay before the first retry, in seconds. The maximum doubles with each retry. The actual delay is a
    /// random part of the maximum (full jitter). The default is 0.5. Negative values and NaN count as 0.
    public var firstDelay: TimeInterval = 0.5

    /// The upper limit of the maximum delay, in seconds. The default is 20. Negative values and NaN count as 0.
    public var delayLimit: TimeInterval = 20

    /// The status codes after which a request is sent again. The defaults are 408, 425, 429, 500, 502, 503 and 504.
    public var statusCodes: Set<Int> = HTTPStatus.transient

    /// True if a request is sent again after a failed or lost connection, including a time-out. The default is true.
    public var includesConnectionErrors = true

    /// The methods of requests that are sent again. The defaults are the idempotent methods (RFC 9110 §9.2.2). A
    /// request with an `Idempotency-Key` header is sent again regardless of its method; see
    /// ``Configuration/sendsIdempotencyKeys``.
    public var methods: Set<RequestMethod> = [.get, .head, .options, .put, .delete]

    /// The longest time, in seconds, that a request waits because the server has asked for a delay. The default is 60.
    public var retryAfterLimit: TimeInterval = 60

    /// The period in which further attempts may begin, in seconds from the start of the request. The default is
    /// infinite.
    public var timeLimit: TimeInterval = .infinity

    /// A closure that decides about a failed attempt in place of the other properties. If the closure is nil, or
    /// returns nil, the other properties decide.
    ///
    /// The closure is called on the main thread after each failed attempt. The four rules of ``RetryPolicy`` and
    /// ``timeLimit`` also apply to the decisions of the closure. ``retryLimit`` and ``methods`` do not apply. Therefore
    /// compare ``FailedAttempt/number`` and ``FailedAttempt/method`` with values of your own.
    public var decide: (@MainActor @Sendable (FailedAttempt) -> Decision?)?

    /// Creates the policy ``standard``.
    init() {}

    /// Requests are not sent again. This is the default.
    public static let none: RetryPolicy = {
        var policy = RetryPolicy()
        policy.retryLimit = 0
        return policy
    }()

    /// Up to 3 retries of idempotent requests, after connection errors and the statuses 408, 425, 429, 500, 502, 503
    /// and 504, with full jitter over 0.5 s, 1 s and 2 s.
    public static let standard = RetryPolicy()

    /// An attempt that has failed.
    public struct FailedAttempt: Sendable {
        /// The number of the attempt: 1 for the first.
        public let number: Int
        /// The method of the request, in upper case.
        public let method: String
        /// The error with which the request fails if it is not sent again.
        public let error: RequestError
        /// The time for which the server has asked the client to wait, in seconds; nil if the server has not asked for
        /// a wait.
        public let retryAfter: TimeInterval?
        /// The time since the start of the request, in seconds.
        public let elapsed: TimeInterval
    }

    /// The decision of ``RetryPolicy/decide``.
    public enum Decision: Sendable {
        /// The request completes with the error.
        case giveUp
        /// The request is sent again after a delay in seconds.
        case retry(after: TimeInterval)
    }

    /// True if the policy can lead to a retry.
    var isOn: Bool { retryLimit > 0 || decide != nil }
}

/// The behavior of a request that fails because there is no network.
public enum OfflinePolicy: Sendable {
    /// The request fails.
    case attempt
    /// The request waits for the network, and is then sent again. If there is no network after this number of seconds,
    /// the request fails. A number that is not positive has the same effect as ``attempt``.
    ///
    /// A request that the server may have received waits only if its method is idempotent, or if it has an
    /// `Idempotency-Key`. A request whose body can be sent only once does not wait.
    case wait(upTo: TimeInterval)

    /// The longest wait in seconds; nil if requests do not wait.
    var limit: TimeInterval? {
        guard case .wait(let limit) = self, limit > 0 else { return nil }
        return limit
    }
}
