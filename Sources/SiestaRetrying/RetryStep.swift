import Foundation
import SiestaCore

/// Sends a request again after a failure, as ``RetryRules`` decide.
@MainActor
final class RetryStep: ExchangeStep {
    private let policy: RetryPolicy

    init(_ policy: RetryPolicy) {
        self.policy = policy
    }

    func prepare(_ exchange: Exchange, _ index: Int) -> Preparation {
        guard exchange[memory: index] == 0, let history = exchange.startHistory() else { return .proceed }
        (exchange[memory: index], history.retryLimit) = (1, max(0, policy.retryLimit))
        exchange.originGate?.noteRequest()
        return .proceed
    }

    func change(_ attempt: inout Attempt, of exchange: Exchange, _ index: Int) {
        exchange[memory: index] = 1  // A planned retry begins now.
    }

    func judge(_ info: inout ResponseInfo, _ arrival: Arrival, of exchange: Exchange, _ index: Int) -> Judgement {
        guard case .failure(let error) = info.response, !error.isCancellation, let history = exchange.history,
            let failure = exchange.failure(error, arrival)
        else { return .accept }
        extendLifetime(Swift.exchange(&history.lastError, with: error))  // The old error may run code of the app.
        let decision = decide(failure, error, exchange, history)
        guard exchange.isJudging else { return .accept }  // Code of the app has cancelled the request.
        switch decision {
        case .wait(let delay):
            history.number += 1
            history.retryCount += 1
            let planned = UInt64(history.retryCount + 1)
            exchange[memory: index] = planned
            var outcome = info
            outcome.response = .failure(exchange.held(error, for: failure.retryAfter))
            extendLifetime(Swift.exchange(&history.outcome, with: outcome))
            return .again(.retry) { [policy] ticket in
                Self.wait(ticket, delay, .init(failure.cause), history, until: policy.timeLimit) {
                    if $0[memory: index] == planned { Self.end($0, index, planned, at: policy.timeLimit) }
                }
            }
        case .giveUp(let obstacle):
            SiestaLog.log(.network, ["No retry for", exchange.resource, ":", obstacle.rawValue])
            return .accept
        }
    }

    private func decide(
        _ failure: RetryRules.Failure, _ error: RequestError, _ exchange: Exchange, _ history: AttemptHistory
    ) -> RetryRules.Decision {
        let attempt = RetryPolicy.FailedAttempt(
            number: history.number, method: failure.method, error: error, retryAfter: failure.retryAfter,
            elapsed: failure.elapsed)
        let clock = exchange.clock
        let choice = clock.whileCurrent { policy.decide?(attempt) }
        let decision = RetryRules(policy: policy).decide(failure, choice: choice, fraction: clock.fraction)
        guard case .wait = decision, !(exchange.originGate?.takeRetry() ?? true) else { return decision }
        return .giveUp(.budget)
    }

    /// Ends the exchange if the planned retry, which waits for its turn or for a credential, has not begun at the limit.
    private static func end(_ exchange: Exchange, _ index: Int, _ planned: UInt64, at limit: TimeInterval) {
        guard limit.isFinite, let history = exchange.history else { return }
        // The usual precision of timers does not count.
        let rest = limit + RetryRules.minimumDelay - history.elapsed(at: exchange.clock.monotonicTime)
        exchange.clock.schedule(after: rest) { [weak exchange] in
            guard let exchange, exchange[memory: index] == planned, let info = exchange.history?.outcome else { return }
            exchange.endWait(with: info)
        }
    }

    /// - Parameters:
    ///   - limit: the time after the start of the request at which no attempt begins any more, in seconds.
    ///   - ended: called after the wait.
    private static func wait(
        _ ticket: WaitTicket, _ delay: TimeInterval, _ reason: Resource.Retry.Reason, _ history: AttemptHistory,
        until limit: TimeInterval, _ ended: @escaping (Exchange) -> Void
    ) {
        let (exchange, clock) = (ticket.exchange, ticket.exchange.clock)
        (history.retry, exchange.reason) = (ticket, .retry)
        let delay = exchange.spaced(delay)
        // Other attempts of the resource may have moved this one beyond the limit. Rounding does not count.
        if history.elapsed(at: clock.monotonicTime) + delay > limit + 1e-6, let info = history.outcome {
            return ticket.end(with: info)
        }
        SiestaLog.log(.network, ["Attempt", history.number, "of", exchange.resource, "in", delay, "s"])
        clock.schedule(after: delay) { [weak exchange, number = ticket.number] in
            // The timer does not hold the exchange, because it may be due long after a cancellation.
            guard let exchange, let history = exchange.history else { return }
            let ticket = WaitTicket(exchange: exchange, number: number)
            // The timer is late if the device has slept. Its usual precision does not count.
            let isLate = history.elapsed(at: exchange.clock.monotonicTime) > limit + RetryRules.minimumDelay
            if isLate, let info = history.outcome { ticket.end(with: info) } else { ticket.proceed() }
            ended(exchange)
        }
        exchange.showWait(reason, until: clock.monotonicTime + delay)
    }
}

extension Resource.Retry.Reason {
    fileprivate init(_ cause: RetryRules.Cause) {
        switch cause {
        case .status(let status): self = .status(status)
        case .connection: self = .connection
        case .other: self = .other
        }
    }
}
