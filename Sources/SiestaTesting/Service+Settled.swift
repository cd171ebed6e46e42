import Dispatch
public import SiestaCore

extension Service {
    /// Waits until this service is idle. The service is then running no request, is accessing no cache and no outbox,
    /// and has called all hooks and observers.
    ///
    ///     screen.appear()
    ///     try await service.settled()
    ///     #expect(screen.title == "Ada")
    ///
    /// Work on the main queue counts as done after four turns of the main queue in which the service was idle. Caches
    /// of the type `PersistentCache` are flushed. While a test holds back a response, the service is busy.
    ///
    /// By default, a service whose requests only wait for timers counts as idle. A request may wait for its next attempt,
    /// for the network, for its turn among the requests to its origin, or for a delay of a ``FaultyNetwork``. To continue such a
    /// request, advance the ``TestClock``, or call ``TestClock/advanceUntilSettled(_:limit:)``.
    ///
    /// - Parameters:
    ///   - includingTimers: true to wait also for requests that wait for a timer.
    ///   - timeLimit: The real time after which the wait fails. The default is 30 seconds.
    /// - Throws: An error that names the unfinished work if the time limit has passed.
    ///   `CancellationError` if the waiting task is cancelled, for example by a test's time limit.
    public func settled(includingTimers: Bool = false, timeLimit: Duration = .seconds(30)) async throws {
        let end = ContinuousClock.now + timeLimit
        var (quietTurns, checks) = (0, 0)
        while quietTurns < 4 {
            try Task.checkCancellation()
            let work = unfinishedWork(includingTimers: includingTimers)
            if work.isEmpty {
                if quietTurns == 0 { await flushCaches() }
                quietTurns += 1
            } else {
                quietTurns = 0
                guard ContinuousClock.now < end else { throw TimeLimitExceeded(unfinished: work, after: timeLimit) }
            }
            checks += 1
            // Nothing tells when a request begins to wait for a timer. After many turns without a pause, the processor
            // is needed for the work itself.
            await checks < 100 || work.isEmpty ? mainQueueTurn() : mainQueueTurn(after: .milliseconds(1))
        }
    }
}

extension TimeLimitExceeded {
    init(unfinished work: [String], after timeLimit: Duration) {
        let rest = work.count > 20 ? ", and \(work.count - 20) more" : ""
        let list = work.prefix(20).joined(separator: ", ")
        self.init(description: "Waited \(timeLimit) for a service to settle: \(list)\(rest)")
    }
}

/// Waits for a turn of the main queue that begins after a delay.
@MainActor
private func mainQueueTurn(after delay: DispatchTimeInterval) async {
    await withCheckedContinuation { continuation in
        DispatchQueue.main.asyncAfter(deadline: .now() + delay) { continuation.resume() }
    }
}
