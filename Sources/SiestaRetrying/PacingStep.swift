import Foundation
import HTTPRules
import SiestaCore

/// Asks the origin for permission before each attempt; see ``OriginHealth``.
@MainActor
final class PacingStep: ExchangeStep {
    private let pacing: Pacing
    private let priority: RequestPriority

    /// What the step remembers of an exchange. While the exchange waits, its object is the origin's ticket.
    private enum Place {
        static let none: UInt64 = 0
        static let waiting: UInt64 = 1
        static let sent: UInt64 = 2
        /// The attempt is the probe of a circuit breaker.
        static let probe: UInt64 = 3
        /// The head of a success has arrived, and what it asks for is followed. The body may take long.
        static let begun: UInt64 = 4
    }

    init(_ pacing: Pacing, _ priority: RequestPriority) {
        (self.pacing, self.priority) = (pacing, priority)
    }

    var countsAttempts: Bool { true }

    func prepare(_ exchange: Exchange, _ index: Int) -> Preparation {
        guard exchange.startHistory() != nil, let gate = exchange.originGate else { return .proceed }
        return .wait(.origin) { self.enter(gate, $0, index) }
    }

    private func enter(_ gate: OriginGate, _ ticket: WaitTicket, _ index: Int) {
        let place = OriginGate.Ticket(pacing: pacing, priority: priority) { [pacing] answer in
            guard ticket.isCurrent else {
                // The exchange was stopped while it waited, and has not ended yet. It gives its place back.
                if case .send(let isProbe) = answer { gate.end(.unknown, ofProbe: isProbe, within: pacing) }
                return
            }
            let exchange = ticket.exchange
            switch answer {
            case .hold(let hold): exchange.showWait(.init(hold), until: hold.end)
            case .send(let isProbe):
                exchange[memory: index] = isProbe ? Place.probe : Place.sent
                exchange.objects[index] = nil
                ticket.proceed()
            case .refuse(let time):
                exchange[memory: index] = Place.none
                exchange.objects[index] = nil
                ticket.refuse(Self.refusal(of: exchange, until: time))
            }
        }
        ticket.exchange[memory: index] = Place.waiting
        ticket.exchange.objects[index] = place
        gate.enter(place)
    }

    /// Returns the error of a request that the origin refuses: that of the last attempt, if there was one.
    private static func refusal(of exchange: Exchange, until time: TimeInterval) -> RequestError {
        let wait = max(0, time - exchange.clock.monotonicTime)
        let error =
            exchange.history?.lastError
            ?? exchange.clock.whileCurrent {
                RequestError(.refusal(.serverUnavailable, retryAfter: wait))
            }
        return exchange.held(error, for: wait)
    }

    func change(_ attempt: inout Attempt, of exchange: Exchange, _ index: Int) {
        attempt.rules.readsQuotas = pacing.followsServer
        attempt.call.needsURL = true
    }

    func streamBegan(_ advice: ServerAdvice?, isEndless: Bool, of exchange: Exchange, _ index: Int) {
        let place = exchange[memory: index]
        guard place >= Place.sent else { return }
        follow(advice, exchange)
        guard !isEndless else { return leave(exchange, index, .success) }
        // The body may take long. Until its end, the attempt counts as an ordinary running request.
        exchange[memory: index] = Place.begun
        if place == Place.probe { exchange.originGate?.closeCircuit() }
    }

    /// Closes the origin for the time for which its response asks.
    private func follow(_ advice: ServerAdvice?, _ exchange: Exchange) {
        guard pacing.followsServer, let closing = advice?.closing, !isOfOtherOrigin(advice, exchange) else { return }
        exchange.originGate?.close(for: closing)
    }

    func attemptEnded(_ info: ResponseInfo, _ arrival: Arrival, of exchange: Exchange, _ index: Int) {
        let isOfOther = isOfOtherOrigin(arrival.advice.value, exchange)
        let outcome: OriginHealth.Outcome =
            switch info.response {
            case .success: .success
            case .failure(let error) where error.isCancellation: .unknown
            // This origin has answered with a redirect. The error of the other origin says nothing about it.
            case .failure where isOfOther: .success
            case .failure(let error): outcome(of: RetryRules.Cause(error, status: arrival.status), exchange)
            }
        if [Place.sent, Place.probe].contains(exchange[memory: index]) { follow(arrival.advice.value, exchange) }
        leave(exchange, index, outcome)
    }

    /// True if redirects have led to another origin, which has responded or failed. This concerns no other origin.
    private func isOfOtherOrigin(_ advice: ServerAdvice?, _ exchange: Exchange) -> Bool {
        guard let advice, let url = exchange.request?.url else { return false }
        if let end = advice.url { return end != url && URLOrigin(end) != URLOrigin(url) }
        return advice.failedOrigin.map { $0 != URLOrigin(url).description } ?? false
    }

    /// Returns the outcome of a failed attempt. A connection that fails without a network says nothing about the server.
    private func outcome(of cause: RetryRules.Cause, _ exchange: Exchange) -> OriginHealth.Outcome {
        guard case .connection = cause, pacing.failureLimit != nil else { return cause.outcome }
        return exchange.resource?.context.device.isConnected ?? true ? .failure : .unknown
    }

    func end(_ exchange: Exchange, _ index: Int) {
        if let place = exchange.objects[index] as? OriginGate.Ticket { exchange.originGate?.leave(place) }
        leave(exchange, index, .unknown)
    }

    private func leave(_ exchange: Exchange, _ index: Int, _ outcome: OriginHealth.Outcome) {
        let place = exchange[memory: index]
        exchange[memory: index] = Place.none
        guard place >= Place.sent else { return }
        exchange.originGate?.end(outcome, ofProbe: place == Place.probe, within: pacing)
    }
}

extension Resource.Retry.Reason {
    fileprivate init(_ hold: OriginHealth.Hold) {
        switch hold {
        case .closed: self = .server
        case .rate: self = .rate
        case .concurrency: self = .concurrency
        }
    }
}

extension OriginHealth.Hold {
    /// The time of the end, in seconds; nil if it is unknown.
    fileprivate var end: TimeInterval? {
        switch self {
        case .closed(let time), .rate(let time): time
        case .concurrency: nil
        }
    }
}

extension RetryRules.Cause {
    fileprivate var outcome: OriginHealth.Outcome {
        switch self {
        case .status(let status): status >= 500 ? .failure : .success
        case .connection: .failure
        case .other: .unknown
        }
    }
}
