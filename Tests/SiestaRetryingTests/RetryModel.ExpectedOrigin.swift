import Foundation
import SiestaCore
import SiestaRetrying
import TestDoubles

extension RetryModel {
    /// A request that waits for its first sending.
    struct Queued {
        let id: String
        let order: Int
        let path: String
        let made: TimeInterval

        private var rank: TimeInterval { made - (["/0": 20, "/1": 10][path] ?? 0) }

        /// True if this request must be sent before another one.
        func precedes(_ other: Queued) -> Bool {
            rank < other.rank - 1e-6 || path == other.path && order < other.order
        }
    }

    /// The limits of the origin, written once more without the queue.
    struct ExpectedOrigin {
        enum Outcome {
            case success, failure, unknown
        }

        let pacing: Pacing
        /// The time before which the server wants no request.
        private(set) var closedUntil = -TimeInterval.infinity
        private var tokens: Double
        private var filledAt = -TimeInterval.infinity
        private var failures = 0
        private var failureTime = -TimeInterval.infinity
        private var pausedUntil: TimeInterval?
        private var probe: String?
        /// The last time at which the circuit was open.
        private var lastOpen = -TimeInterval.infinity

        init(pacing: Pacing) {
            self.pacing = pacing
            tokens = Double(pacing.burst)
        }

        /// Records that a request is sent. Returns the rule that forbids it.
        mutating func send(_ id: String, at now: TimeInterval) -> String? {
            defer { tokens = available(at: now) - 1; filledAt = now }
            forget(at: now)
            if pacing.followsServer, now < closedUntil - 1e-6 {
                return "the server wants no request for \(closedUntil - now) s"
            }
            if available(at: now) < 0.99999 { return "the rate is exceeded" }
            guard let pausedUntil else { return nil }
            if now < pausedUntil - 1e-6 { return "the circuit is open" }
            if let probe { return "\(probe) is the probe" }
            probe = id
            return nil
        }

        mutating func end(_ id: String, _ outcome: Outcome, at now: TimeInterval) {
            guard let limit = pacing.failureLimit else { return }
            let decides = probe == id
            if decides {
                (probe, lastOpen) = (nil, now)
            } else {
                forget(at: now)
            }
            guard probe == nil || outcome == .success else { return }
            switch outcome {
            case .success:
                if pausedUntil != nil { lastOpen = now }
                (failures, pausedUntil, probe) = (0, nil, nil)
            case .failure:
                (failures, failureTime) = (failures + 1, now)
                guard decides || failures >= limit else { return }
                pausedUntil = now + pacing.failurePause
                failureTime = now + pacing.failurePause
            case .unknown: break
            }
        }

        mutating func close(until time: TimeInterval) {
            if pacing.followsServer { closedUntil = max(closedUntil, time) }
        }

        /// True if a request may have been refused at this time or later.
        func mayHaveRefused(since time: TimeInterval) -> Bool {
            closedUntil > time + 60 || probe != nil || max(pausedUntil ?? -.infinity, lastOpen) >= time - 1e-6
        }

        /// True if a request has to wait, even if no other is running.
        func holds(at now: TimeInterval) -> Bool { closedUntil > now || available(at: now) < 0.99999 }

        private func available(at now: TimeInterval) -> Double {
            guard let rate = pacing.requestsPerSecond else { return .infinity }
            return min(Double(pacing.burst), tokens + (now - filledAt) * rate)
        }

        private mutating func forget(at now: TimeInterval) {
            guard probe == nil, now - failureTime > 600 else { return }
            if let pausedUntil { lastOpen = max(lastOpen, pausedUntil) }
            (failures, pausedUntil) = (0, nil)
        }
    }
}
