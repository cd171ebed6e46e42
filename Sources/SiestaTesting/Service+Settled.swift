import Dispatch
public import SiestaCore

extension Service {
    /// Waits until this service is idle. An idle service has no running requests, is not accessing a cache or an
    /// outbox, and has no hooks or observers left to call.
    ///
    ///     screen.appear()
    ///     try await service.settled()
    ///     #expect(screen.title == "Ada")
    ///
    /// The function returns after it has found the service idle four times in a row. Between these checks, it lets the
    /// main queue do its work. It also flushes caches of the type `PersistentCache`. While a test holds back a
    /// response, the service is busy.
    ///
    /// By default, a service is idle even if some of its requests are waiting. A request may wait for the delay before
    /// its next attempt, for a delay of a ``FaultyNetwork``, for the network, or for its turn among the requests to its
    /// origin. To end a delay, advance the ``TestClock``, or call ``TestClock/advanceUntilSettled(_:limit:)``.
    ///
    /// - Parameters:
    ///   - includingTimers: True to treat the service as busy while a request waits. The default is false.
    ///   - timeLimit: The real time after which the wait fails. The default is 30 seconds.
    /// - Throws: An error that names the unfinished work, if `timeLimit` has passed. `CancellationError`, if the
    ///   waiting task is cancelled, for example by the time limit of the test framework.
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
