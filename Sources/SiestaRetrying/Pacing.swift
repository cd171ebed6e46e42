public import Foundation
import SiestaCore

/// Limits for sending requests to an origin: a scheme, a host and a port.
///
///     service.configure { $0.pacing = .standard }
///     service.configure { $0.pacing = Pacing(concurrentRequests: 4, requestsPerSecond: 10) }
///
/// A request that exceeds a limit waits. Waiting requests are sent in the order of their ``Configuration/priority``,
/// then in the order in which they were made. A request that has waited 10 seconds longer than another request is sent
/// first, even if its priority is one step lower. ``Resource/retry`` contains the reason why a request waits.
///
/// All services of the process share the queue and the counts of an origin. The request at the head of the queue holds
/// back all other requests. Therefore give all resources of an origin the same limits.
public struct Pacing: Sendable, Equatable {
    /// The maximum number of requests that run at the same time; nil for no limit. A number below 1 counts as 1. An
    /// `EventStream` counts as a running request until its response begins.
    public var concurrentRequests: Int?

    /// The maximum rate in requests per second (token bucket); nil for no limit. A number that is not positive counts
    /// as one request per minute.
    public var requestsPerSecond: Double?

    /// The number of requests that may be sent without delay after a pause, before the rate applies. The default is 1.
    /// A number below 1 counts as 1.
    public var burst = 1

    /// True if the client waits for as long as the server asks. The default is true. The server asks for a wait by
    /// `Retry-After` in a response with status 429 or 503, or by the fields `RateLimit`, `RateLimit-Policy` and
    /// `X-RateLimit-…` in any response. ``Service/wipeResources(includingCaches:)`` ends all such waits, because the
    /// next user has a different quota.
    public var followsServer = true

    /// The longest time, in seconds, that a request waits because the server has asked for a delay. The default is 60.
    /// If the server asks for a longer delay, requests fail at once with ``RequestError/Code/serverUnavailable``.
    public var waitLimit: TimeInterval = 60

    /// The number of failures in a row after which requests fail at once with
    /// ``RequestError/Code/serverUnavailable`` (a circuit breaker). The default is nil: requests never fail for this
    /// reason. A number below 1 counts as 1.
    ///
    /// Failures are connection errors and statuses of 500 and more. After a pause of ``failurePause`` seconds, one
    /// request is sent as a probe. If the probe succeeds, all requests are sent normally. Otherwise, the next pause
    /// begins. If the probe is a download, a byte stream or an event stream, it succeeds as soon as the head of a
    /// successful response arrives. If the body of a download or a byte stream then turns out to be incomplete, this
    /// counts as a new failure. If an origin receives no request for 10 minutes after the last failure and its pause,
    /// its failures are forgotten.
    public var failureLimit: Int?

    /// The length of the pause after ``failureLimit`` failures, in seconds. The default is 30. Values below 0.1 and NaN
    /// count as 0.1.
    public var failurePause: TimeInterval = 30

    /// Creates limits.
    public init(concurrentRequests: Int? = nil, requestsPerSecond: Double? = nil) {
        (self.concurrentRequests, self.requestsPerSecond) = (concurrentRequests, requestsPerSecond)
    }

    /// Requests are sent at once. This is the default.
    public static let none: Pacing = {
        var pacing = Pacing()
        pacing.followsServer = false
        return pacing
    }()

    /// Requests are sent at once. If the server asks the client to wait, requests wait.
    public static let standard = Pacing()

    /// True if the limits can hold a request back.
    var isOn: Bool { self != .none }
}

/// The order in which waiting requests are sent; see ``Pacing``.
public enum RequestPriority: Sendable {
    /// After all other requests. An example are requests that only fill a cache.
    case low
    /// The default priority.
    case normal
    /// Before all other requests. An example are requests for which a person waits.
    case high
}
