import Foundation
import SiestaCore

/// The origins that the requests of one service share with other services.
final class SharedOrigins: ServiceExtension {
    let origins: Origins

    init(context: ResourceContext) {
        origins = .shared(for: context.clock)
    }

    func wiped() { origins.reopen() }

    func principalChanged(of resources: [Resource]) { origins.reopen() }
}

extension Exchange {
    /// The gate of the first request's origin; nil before the history has begun. Later requests may have another URL.
    var originGate: OriginGate? {
        guard let history, let context = resource?.context else { return nil }
        if let known = history.shared as? OriginGate { return known }
        let new = context.feature(SharedOrigins.self).origins[request?.url]
        history.shared = new
        return new
    }

    /// Returns a delay after which no other automatic attempt of the resource is near.
    func spaced(_ delay: TimeInterval) -> TimeInterval {
        guard let resource else { return delay }
        let now = clock.monotonicTime
        return resource.extended(with: AttemptTimes()).reserve(now + delay, now: now) - now
    }

    /// The facts about a failed attempt for the rules of retries.
    func failure(_ error: RequestError, _ arrival: Arrival) -> RetryRules.Failure? {
        guard let history, let request else { return nil }
        return RetryRules.Failure(
            number: history.retryCount + 1, method: request.isLoadWithBody ? "GET" : request.method,
            hasIdempotencyKey: request.hasIdempotencyKey, isRepeatable: isRepeatable,
            cause: RetryRules.Cause(error, status: arrival.status), retryAfter: arrival.advice.value?.retryAfter,
            elapsed: history.elapsed(at: clock.monotonicTime))
    }
}
