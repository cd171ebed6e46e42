import Foundation
import SiestaCore
import Testing

@testable import SiestaRetrying

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The decision about a failed attempt.
struct RetryRulesTests {
    private typealias Failure = RetryRules.Failure

    private func failure(
        _ number: Int = 1, _ method: String = "GET", _ cause: RetryRules.Cause = .status(503),
        key: Bool = false, isRepeatable: Bool = true, retryAfter: TimeInterval? = nil, elapsed: TimeInterval = 0
    ) -> RetryRules.Failure {
        Failure(
            number: number, method: method, hasIdempotencyKey: key, isRepeatable: isRepeatable, cause: cause,
            retryAfter: retryAfter, elapsed: elapsed)
    }

    private func decide(
        _ failure: RetryRules.Failure, _ policy: RetryPolicy = .standard, choice: RetryPolicy.Decision? = nil,
        fraction: Double = 1
    ) -> RetryRules.Decision {
        RetryRules(policy: policy).decide(failure, choice: choice, fraction: fraction)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func `The standard policy retries these statuses`(_ status: Int) {
        #expect(decide(failure(1, "GET", .status(status))) == .wait(0.5))
    }

    @Test(arguments: [400, 401, 403, 404, 409, 410, 413, 422, 501, 505, 599])
    func `The standard policy does not retry other statuses`(_ status: Int) {
        #expect(decide(failure(1, "GET", .status(status))) == .giveUp(.cause))
    }

    @Test func `Connection errors are retried, other failures are not`() {
        #expect(decide(failure(1, "GET", .connection(isUnsent: false))) == .wait(0.5))
        #expect(decide(failure(1, "GET", .other)) == .giveUp(.cause))
        var policy = RetryPolicy.standard
        policy.includesConnectionErrors = false
        #expect(decide(failure(1, "GET", .connection(isUnsent: true)), policy) == .giveUp(.cause))
    }

    @Test func `The delay doubles, and the third retry is the last`() {
        #expect([1, 2, 3, 4].map { decide(failure($0)) } == [.wait(0.5), .wait(1), .wait(2), .giveUp(.retryLimit)])
        #expect(decide(failure(), .none) == .giveUp(.retryLimit))
    }

    @Test func `Jitter takes any part of the delay, but at least 0.1 seconds`() {
        #expect(decide(failure(3), fraction: 0.25) == .wait(0.5))
        #expect(decide(failure(3), fraction: 0) == .wait(0.1))
        for fraction in [-1, .nan, .infinity] { #expect(decide(failure(), fraction: fraction) != .wait(.nan)) }
    }

    @Test func `The delay has a limit`() {
        var policy = RetryPolicy.standard
        policy.retryLimit = 100
        #expect(decide(failure(6), policy) == .wait(16))
        for number in [7, 8, 99, 100] { #expect(decide(failure(number), policy) == .wait(20)) }
        policy.delayLimit = 3
        #expect(decide(failure(50), policy) == .wait(3))
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"])
    func `Idempotent methods are retried`(_ method: String) {
        #expect(decide(failure(1, method)) == .wait(0.5))
    }

    @Test(arguments: ["POST", "PATCH", "QUERY", "get", ""])
    func `Other methods are retried only with an Idempotency-Key`(_ method: String) {
        #expect(decide(failure(1, method)) == .giveUp(.method))
        #expect(decide(failure(1, method, key: true)) == .wait(0.5))
    }

    @Test func `A body that can be sent only once is never sent again, whatever the closure says`() {
        #expect(decide(failure(1, "PUT", isRepeatable: false)) == .giveUp(.body))
        #expect(decide(failure(1, "PUT", isRepeatable: false), choice: .retry(after: 1)) == .giveUp(.body))
    }

    @Test func `Retry-After is a lower bound, up to a limit`() {
        #expect(decide(failure(retryAfter: 7)) == .wait(7))
        #expect(decide(failure(retryAfter: 0.01)) == .wait(0.5))
        #expect(decide(failure(retryAfter: 60)) == .wait(60))
        #expect(decide(failure(retryAfter: 60.5)) == .giveUp(.retryAfter))
        #expect(decide(failure(retryAfter: 7), choice: .retry(after: 1)) == .wait(7))
        #expect(decide(failure(retryAfter: 61), choice: .retry(after: 1)) == .giveUp(.retryAfter))
    }

    @Test func `No attempt begins after the time limit`() {
        var policy = RetryPolicy.standard
        policy.timeLimit = 10
        #expect(decide(failure(elapsed: 9.5), policy) == .wait(0.5))
        #expect(decide(failure(elapsed: 9.6), policy) == .giveUp(.timeLimit))
        policy.timeLimit = .nan
        #expect(decide(failure(elapsed: 1e9), policy) == .wait(0.5))
        policy.timeLimit = -1
        #expect(decide(failure(), policy) == .giveUp(.timeLimit))
    }

    @Test func `The closure decides about cause, number and method`() {
        #expect(decide(failure(99, "POST", .other), choice: .retry(after: 3)) == .wait(3))
        #expect(decide(failure(), choice: .giveUp) == .giveUp(.closure))
        for delay in [0, -5, TimeInterval.nan, .infinity, -.infinity] {
            #expect(decide(failure(), choice: .retry(after: delay)) == .wait(0.1))
        }
    }

    @Test func `Numbers that are not sensible count as 0 or as off`() {
        var policy = RetryPolicy.standard
        (policy.firstDelay, policy.delayLimit) = (-3, 20)
        #expect(decide(failure(), policy) == .wait(0.1))
        (policy.firstDelay, policy.delayLimit) = (.nan, .nan)
        #expect(decide(failure(), policy) == .wait(0.1))
        policy.retryAfterLimit = -1
        #expect(decide(failure(retryAfter: 1), policy) == .giveUp(.retryAfter))
        policy.retryLimit = -7
        #expect(decide(failure(), policy) == .giveUp(.retryLimit))
        #expect(!RetryPolicy.none.isOn)
        #expect(RetryPolicy.standard.isOn)
    }

    @Test func `Errors are classified by status and by code`() {
        func cause(_ error: any Error, status: Int = 0) -> RetryRules.Cause {
            RetryRules.Cause(RequestError(userMessage: "", cause: error), status: status)
        }
        #expect(cause(URLError(.cannotConnectToHost)) == .connection(isUnsent: true))
        #expect(cause(URLError(.networkConnectionLost)) == .connection(isUnsent: false))
        #expect(cause(URLError(.timedOut)) == .connection(isUnsent: false))
        #expect(cause(URLError(.serverCertificateUntrusted)) == .other)
        #expect(cause(NSError(domain: NSURLErrorDomain, code: URLError.timedOut.rawValue)) != .other)
        #expect(cause(NSError(domain: "app", code: URLError.timedOut.rawValue)) == .other)
        #expect(cause(URLError(.cannotParseResponse), status: 503) == .status(503))
        #expect(cause(URLError(.timedOut), status: 200) == .other)
    }
}
