public import Foundation
import HTTPRules
public import SiestaCore

/// The rules for sending failed requests again.
///
///     service.configure { $0.retry = .standard }
///     service.configure("/reports/*") { $0.retry.retryLimit = 5 }
///
/// To the app, all attempts are one request. The hooks of this request run once, after the last attempt. While a
/// request waits for its next attempt, ``Resource/retry`` contains the reason for the wait and the time at which it
/// ends.
///
/// Four rules apply to every policy:
///
/// - A request whose body can be sent only once is never sent again.
/// - A request waits at least 0.1 seconds before its next attempt.
/// - If the server asks the client to wait with `Retry-After` (RFC 9110 §10.2.3), the request waits for at least this
///   time. If the requested wait is longer than ``retryAfterLimit``, the request is not sent again; see
///   ``RequestError/retryAfter``.
/// - Within a minute, the library limits the number of retries to an origin to 10, or to 20 % of the number of requests
///   to this origin that have a retry policy, whichever is greater. All services of the process share this budget. It
///   keeps clients from multiplying the load on a failing server.
public struct RetryPolicy: Sendable {
    /// The maximum number of retries after the first attempt. The default is 3, so that a request is sent at most 4
    /// times. With a number below 1, failed requests are not sent again.
    public var retryLimit = 3

    /// The maximum delay before the first retry, in seconds. The maximum doubles with each retry. The actual delay is a
    /// random value up to the maximum (full jitter). The default is 0.5. Negative values and NaN count as 0.
    public var firstDelay: TimeInterval = 0.5

    /// The limit for the doubled delays, in seconds. The default is 20. Negative values and NaN count as 0.
    public var delayLimit: TimeInterval = 20

    /// The status codes after which a request is sent again. By default, these are 408, 425, 429, 500, 502, 503 and
    /// 504.
    public var statusCodes: Set<Int> = HTTPStatus.transient

    /// True if a request is sent again after a connection error: a failed or lost connection, or a time-out. The
    /// default is true.
    public var includesConnectionErrors = true

    /// The methods of requests that are sent again. By default, these are the idempotent methods GET, HEAD, OPTIONS,
    /// PUT and DELETE (RFC 9110 §9.2.2). A request with an `Idempotency-Key` header is sent again regardless of its
    /// method; see ``Configuration/sendsIdempotencyKeys``.
    public var methods: Set<RequestMethod> = [.get, .head, .options, .put, .delete]

    /// The longest wait, in seconds, that the policy accepts from the server. If the server asks for a longer wait, the
    /// request is not sent again. The default is 60.
    public var retryAfterLimit: TimeInterval = 60

    /// The number of seconds after the start of the request within which retries may begin. The default is infinity.
    public var timeLimit: TimeInterval = .infinity

    /// A closure that decides whether a request is sent again after a failed attempt. If the closure is nil, which is
    /// the default, or if it returns nil, the other properties decide.
    ///
    /// The closure is called on the main thread after each failed attempt. The four rules of ``RetryPolicy`` and the
    /// ``timeLimit`` also apply to the decisions of the closure. The ``retryLimit``, ``statusCodes``,
    /// ``includesConnectionErrors`` and ``methods`` do not apply. Therefore, also check ``FailedAttempt/number`` and
    /// ``FailedAttempt/method`` in the closure.
    public var decide: (@MainActor @Sendable (FailedAttempt) -> Decision?)?

    /// Creates the policy ``standard``.
    init() {}

    /// A policy that never sends a request again. This is the default of ``Configuration/retry``.
    public static let none: RetryPolicy = {
        var policy = RetryPolicy()
        policy.retryLimit = 0
        return policy
    }()

    /// The policy in which all properties have their defaults: up to 3 retries of idempotent requests, after connection
    /// errors and the statuses 408, 425, 429, 500, 502, 503 and 504. The delays are random, up to 0.5, 1 and 2 seconds.
    public static let standard = RetryPolicy()

    /// An attempt that has failed.
    public struct FailedAttempt: Sendable {
        /// The number of the attempt: 1 for the first attempt, 2 for the first retry.
        public let number: Int
        /// The method of the request, in upper case.
        public let method: String
        /// The error with which the request fails if it is not sent again.
        public let error: RequestError
        /// The time for which the server has asked the client to wait, in seconds; nil if the server has not asked it
        /// to wait.
        public let retryAfter: TimeInterval?
        /// The time since the start of the request, in seconds.
        public let elapsed: TimeInterval
    }

    /// A decision that the closure ``RetryPolicy/decide`` returns.
    public enum Decision: Sendable {
        /// The request is not sent again, and fails with the error of the attempt.
        case giveUp
        /// The request is sent again after this number of seconds.
        case retry(after: TimeInterval)
    }

    /// True if the policy can lead to a retry.
    var isOn: Bool { retryLimit > 0 || decide != nil }
}

/// The behavior of a request whose attempt fails because there is no network.
public enum OfflinePolicy: Sendable {
    /// The request fails.
    case attempt
    /// The request waits for the network, and is then sent again. If there is still no network after this number of
    /// seconds, the request fails. A number that is not positive has the same effect as ``attempt``.
    ///
    /// If the server may have received the request, the request waits only if its method is idempotent, or if it has an
    /// `Idempotency-Key`. A request whose body can be sent only once does not wait.
    case wait(upTo: TimeInterval)

    /// The longest wait in seconds; nil if requests do not wait.
    var limit: TimeInterval? {
        guard case .wait(let limit) = self, limit > 0 else { return nil }
        return limit
    }
}
