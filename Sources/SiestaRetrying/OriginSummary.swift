package import Foundation
package import SiestaCore

/// The state of an origin to which requests with retries or pacing were sent, for tools.
package struct OriginSummary: Sendable, Equatable {
    /// Scheme, host and port, for example `https://api.example.com:443`.
    package let name: String
    /// The number of paced requests that run.
    package let running: Int
    /// The time for which the server wants no request, in seconds; nil if it has not asked for it.
    package let closedFor: TimeInterval?
    /// The time for which the circuit breaker lets no request through, in seconds; nil if it is closed.
    package let pausedFor: TimeInterval?
    /// The numbers of requests and retries within the last minute.
    package let requests: Int
    package let retries: Int

    init(_ name: String, _ health: OriginHealth, at now: TimeInterval) {
        self.name = name
        running = health.running
        closedFor = health.closedUntil > now ? health.closedUntil - now : nil
        pausedFor = health.pausedUntil.flatMap { $0 > now ? $0 - now : nil }
        (requests, retries) = health.budget.counts
    }
}

extension Service {
    /// The origins to which requests with retries or pacing were sent. All services with the same clock share them.
    package final var inspectedOrigins: [OriginSummary] {
        Origins.shared(for: context.clock).all()
            .map { OriginSummary($0.name, $0.health, at: context.clock.monotonicTime) }
    }
}
