public import Foundation
public import Siesta

extension TestClock {
    /// Advances the clock by some seconds, as `advance(by:)` does, and waits after each timer until a service has
    /// settled. Therefore the order of events is always the same.
    ///
    /// - Parameters:
    ///   - seconds: The number of seconds. It must be finite and not negative; otherwise the process ends.
    ///   - service: A service that uses this clock.
    /// - Throws: ``TimeLimitExceeded`` if the service does not settle within 30 seconds of real time after a timer.
    @MainActor
    public func advance(by seconds: TimeInterval, settling service: Service) async throws {
        let end = clock.monotonicTime + seconds
        try await service.settled()
        while let next = timers.first, clock.monotonicTime + next <= end {
            advanceToNextTimer()
            try await service.settled()
        }
        advance(by: max(0, end - clock.monotonicTime))
    }

    /// Advances the clock from timer to timer until a service has nothing to do, including the requests that wait for
    /// timers. After each timer, waits until the service has settled, so that the order of events is always the same.
    ///
    ///     user.load()
    ///     try await clock.advanceUntilSettled(service)  // runs retries and the delays of a FaultyNetwork
    ///
    /// - Parameters:
    ///   - service: A service that uses this clock.
    ///   - limit: The maximum time by which the clock advances, in seconds. The default is one hour.
    /// - Throws: ``TimeLimitExceeded`` if the service still has something to do after `limit`, or if it does not settle
    ///   within 30 seconds of real time. The error names the unfinished work.
    @MainActor
    public func advanceUntilSettled(_ service: Service, limit: TimeInterval = 3600) async throws {
        var remaining = limit
        while true {
            try await service.settled()
            let work = service.unfinishedWork(includingTimers: true)
            guard !work.isEmpty else { return }
            guard let next = timers.first, next <= remaining else {
                throw TimeLimitExceeded(unfinished: work, after: .seconds(limit))
            }
            remaining -= next
            advanceToNextTimer()
        }
    }
}
