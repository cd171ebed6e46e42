public import Foundation
import SiestaCore

/// The limits on concurrent requests and on the request rate for an origin (a scheme, a host and a port).
///
///     service.configure { $0.pacing = .standard }
///     service.configure { $0.pacing = Pacing(concurrentRequests: 4, requestsPerSecond: 10) }
///
/// A request that would exceed a limit waits. Waiting requests are sent in the order of their
/// ``Configuration/priority``. Requests with the same priority are sent in the order in which they arrived. A request
/// that has waited 10 seconds longer than another request is sent first, even if its priority is one step lower.
/// ``Resource/retry`` contains the reason why a request waits.
///
/// All services of the process share the queue and the counts of an origin. While the first request in the queue must
/// wait, all requests behind it wait as well. Therefore, use the same limits for all resources of an origin.
public struct Pacing: Sendable, Equatable {
    /// The maximum number of requests that run at the same time; nil for no limit. A number below 1 counts as 1. An
    /// `EventStream` counts as a running request until its response begins.
    public var concurrentRequests: Int?

    /// The maximum rate in requests per second (token bucket); nil for no limit. A number that is not positive counts
    /// as one request per minute.
    public var requestsPerSecond: Double?

    /// The number of requests that may be sent without delay after a period without requests, before
    /// ``requestsPerSecond`` applies. The default is 1. A number below 1 counts as 1.
    public var burst = 1

    /// True if requests wait for as long as the server asks. The default is true.
    ///
    /// The server asks for a wait with `Retry-After` in a response with status 429 or 503, or, in a response with any
    /// status, with a header such as `RateLimit` or `X-RateLimit-…` that reports a used-up quota.
    /// ``Service/wipeResources(includingCaches:)`` ends all such waits, because a user who signs in afterwards has a
    /// different quota.
    public var followsServer = true

    /// The longest time, in seconds, for which requests wait because the server has asked the client to wait. The
    /// default is 60. If the server asks for a longer wait, requests fail at once with
    /// ``RequestError/Code/serverUnavailable``.
    public var waitLimit: TimeInterval = 60

    /// The number of failures in a row after which further requests fail at once with
    /// ``RequestError/Code/serverUnavailable`` (a circuit breaker). The default is nil: requests never fail for this
    /// reason. A number below 1 counts as 1.
    ///
    /// Statuses of 500 or more count as failures. So do connection errors, if the network is available. Errors of
    /// another origin to which a redirect has led do not count. After a pause of ``failurePause`` seconds, one request
    /// is sent as a probe. If the probe succeeds, all requests are sent normally again. Otherwise, another pause
    /// begins. If the probe is a download, a byte stream or an event stream, it succeeds as soon as the head of a
    /// successful response arrives. If the body of such a download or byte stream then turns out to be incomplete, it
    /// counts as a new failure. Failures are forgotten 10 minutes after the last failure or pause.
    public var failureLimit: Int?

    /// The length of the pause of the circuit breaker after ``failureLimit`` failures, in seconds. The default is 30.
    /// Values below 0.1 and NaN count as 0.1.
    public var failurePause: TimeInterval = 30

    /// Creates pacing with these two limits. All other properties have their default values.
    public init(concurrentRequests: Int? = nil, requestsPerSecond: Double? = nil) {
        (self.concurrentRequests, self.requestsPerSecond) = (concurrentRequests, requestsPerSecond)
    }

    /// No limits: requests are sent at once. This is the default of ``Configuration/pacing``.
    public static let none: Pacing = {
        var pacing = Pacing()
        pacing.followsServer = false
        return pacing
    }()

    /// Requests are sent at once, unless the server asks the client to wait.
    public static let standard = Pacing()

    /// True if the limits can hold a request back.
    var isOn: Bool { self != .none }
}

/// The priority of a request while it waits because of ``Pacing``.
public enum RequestPriority: Sendable {
    /// The priority of requests that are not urgent, such as those that only fill a cache.
    case low
    /// The default priority.
    case normal
    /// The priority of urgent requests, such as those that the user is waiting for.
    case high
}
