import Foundation
import HTTPRules
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The rule that decides whether a request is sent again after a failed attempt. Pure.
struct RetryRules {
    let policy: RetryPolicy

    /// A failed attempt, and the properties of its request.
    struct Failure {
        /// 1 plus the number of retries so far. Waits for the network do not count.
        var number: Int
        /// The method in upper case.
        var method: String
        var hasIdempotencyKey = false
        /// False if the body can be sent only once.
        var isRepeatable = true
        var cause: Cause
        /// The time for which the server asks to send no request, in seconds; nil if it does not.
        var retryAfter: TimeInterval?
        /// The time since the start of the request, in seconds.
        var elapsed: TimeInterval
    }

    /// The kind of a failure.
    enum Cause: Equatable {
        /// The server responded with this status.
        case status(Int)
        /// The connection failed or was lost. `isUnsent` is true if the server cannot have received the request.
        case connection(isUnsent: Bool)
        /// Any other failure, for example of a transformer.
        case other
    }

    enum Decision: Equatable {
        case giveUp(Obstacle)
        /// The request is sent again after a delay in seconds.
        case wait(TimeInterval)
    }

    /// The reason why a request is not sent again.
    enum Obstacle: String {
        case cause = "this failure is not retried"
        case retryLimit = "there were enough retries"
        case method = "its method is not idempotent, and it has no Idempotency-Key"
        case body = "its body can be sent only once"
        case retryAfter = "the server asks to wait for too long"
        case timeLimit = "the time limit would be exceeded"
        case closure = "the policy's closure decided so"
        case budget = "too many of the recent requests to this server were retries"
    }

    /// The shortest time between two attempts, in seconds.
    static let minimumDelay: TimeInterval = 0.1

    /// Decides about a failed attempt.
    ///
    /// - Parameters:
    ///   - choice: The decision of the policy's closure; nil if it leaves the decision to the rules.
    ///   - fraction: A random number from 0 to 1.
    func decide(_ failure: Failure, choice: RetryPolicy.Decision? = nil, fraction: Double) -> Decision {
        guard failure.isRepeatable else { return .giveUp(.body) }
        let wanted: TimeInterval
        switch choice {
        case .giveUp: return .giveUp(.closure)
        case .retry(let delay): wanted = delay
        case nil:
            if let obstacle = obstacle(to: failure) { return .giveUp(obstacle) }
            wanted = backoff(after: failure.number, fraction: fraction)
        }
        let asked = failure.retryAfter ?? 0
        guard asked <= max(0, policy.retryAfterLimit) else { return .giveUp(.retryAfter) }
        let delay = max(wanted.isFinite ? wanted : 0, asked, Self.minimumDelay)
        guard failure.elapsed + delay <= policy.timeLimit || policy.timeLimit.isNaN else { return .giveUp(.timeLimit) }
        return .wait(delay)
    }

    private func obstacle(to failure: Failure) -> Obstacle? {
        guard isRetried(failure.cause) else { return .cause }
        guard failure.number <= policy.retryLimit else { return .retryLimit }
        let isSafe = failure.hasIdempotencyKey || Self.methods[failure.method].map(policy.methods.contains) ?? false
        return isSafe ? nil : .method
    }

    /// The methods by their names in upper case, which are case-sensitive (RFC 9110 §9.1).
    private static let methods = Dictionary(
        uniqueKeysWithValues: RequestMethod.allCases.map { ($0.rawValue.uppercased(), $0) })

    private func isRetried(_ cause: Cause) -> Bool {
        switch cause {
        case .status(let status): policy.statusCodes.contains(status)
        case .connection: policy.includesConnectionErrors
        case .other: false
        }
    }

    /// Returns a random part of a delay that doubles with each attempt.
    private func backoff(after number: Int, fraction: Double) -> TimeInterval {
        Backoff(first: policy.firstDelay, limit: policy.delayLimit, jitter: 1)
            .delay(doublings: number - 1, fraction: fraction)
    }
}

extension RetryRules.Cause {
    /// - Parameter status: The status of the response; 0 if there was no response.
    init(_ error: RequestError, status: Int) {
        if status >= 400 {
            self = .status(status)
        } else if status == 0, let code = error.networkErrorCode, Self.connectionErrors.contains(code) {
            self = .connection(isUnsent: Self.unsent.contains(code))
        } else {
            self = .other
        }
    }

    /// The errors that occur before a request is sent.
    private static let unsent = codes(
        [.cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet])

    private static let connectionErrors = unsent.union(
        codes([.timedOut, .networkConnectionLost, .secureConnectionFailed]))

    private static func codes(_ codes: [URLError.Code]) -> Set<Int> { Set(codes.map(\.rawValue)) }
}
