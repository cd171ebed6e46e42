public import Foundation
public import SiestaCore

extension TestClock {
    /// Advances the clock by a number of seconds. Unlike `advance(by:)`, this function waits after each timer until
    /// `service` has settled, so that the order of events is always the same.
    ///
    /// - Parameters:
    ///   - seconds: The number of seconds, which must be finite and not negative; otherwise, a runtime error stops the
    ///     process.
    ///   - service: A service that uses this clock.
    /// - Throws: An error if the service does not settle within 30 seconds of real time after a timer, or
    ///   if new timers with the delay 0 are scheduled endlessly.
    @MainActor
    public func advance(by seconds: TimeInterval, settling service: Service) async throws {
        Self.requireAdvance(by: seconds)
        let end = clock.monotonicTime + seconds
        var progress = ClockProgress()
        try await service.settled()
        while let next = timers.first, clock.monotonicTime + next <= end {
            try progress.check(self)
            advanceToNextTimer()
            try await service.settled()
        }
        advance(by: max(0, end - clock.monotonicTime))
    }

    /// Advances the clock from timer to timer until `service` is idle and none of its requests waits for a timer. After
    /// each timer, waits until the service has settled, so that the order of events is always the same.
    ///
    ///     user.load()
    ///     try await clock.advanceUntilSettled(service)  // runs retries and the delays of a FaultyNetwork
    ///
    /// - Parameters:
    ///   - service: A service that uses this clock.
    ///   - limit: The maximum time by which the clock advances, in seconds. The default is one hour.
    /// - Throws: An error that names the unfinished work, if the service is still busy after `limit`, or if it does not
    ///   settle within 30 seconds of real time. An error is also thrown if new timers with the delay 0 are scheduled
    ///   endlessly.
    @MainActor
    public func advanceUntilSettled(_ service: Service, limit: TimeInterval = 3600) async throws {
        var remaining = limit
        var progress = ClockProgress()
        while true {
            try await service.settled()
            let work = service.unfinishedWork(includingTimers: true)
            guard !work.isEmpty else { return }
            guard let next = timers.first, next <= remaining else {
                throw TimeLimitExceeded(unfinished: work, after: .seconds(limit))
            }
            remaining -= next
            try progress.check(self)
            advanceToNextTimer()
        }
    }
}

/// Finds out whether a clock advances while its timers run.
private struct ClockProgress {
    /// More timers than any test has at the same time.
    private static let limit = 1_000

    private var time = -TimeInterval.infinity
    private var runs = 0
    private var limit = 0

    /// Notes that a timer is about to run. Throws if too many timers have run at the same time.
    mutating func check(_ clock: TestClock) throws(TimeLimitExceeded) {
        let now = clock.clock.monotonicTime
        if now > time { (time, runs, limit) = (now, 0, Self.limit + clock.timers.count) }
        runs += 1
        guard runs > limit else { return }
        throw TimeLimitExceeded(
            description: """
                The clock does not advance: \(runs) timers were due at the same time. Look for code that schedules a timer \
                with the delay 0 from such a timer.
                """)
    }
}
