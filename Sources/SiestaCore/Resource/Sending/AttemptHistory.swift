package import Foundation

/// The attempts of one exchange with steps that repeat it or make it wait, and its wait as people see it.
@MainActor
package final class AttemptHistory {
    private let startTime: TimeInterval
    /// The number of the current attempt, or of the next if the exchange waits: 1 for the first. An attempt with another
    /// credential does not count.
    @exclusivity(unchecked) package var number = 1
    /// The ``number`` of the last attempt that was sent; 0 before the first. A wait may end without the next attempt.
    @exclusivity(unchecked) var sentNumber = 0
    /// The maximum number of retries.
    @exclusivity(unchecked) package var retryLimit = 0
    /// The number of retries. Attempts after waits for the network do not count.
    @exclusivity(unchecked) package var retryCount = 0
    @exclusivity(unchecked) package var lastError: RequestError?
    /// The outcome of the exchange if the planned retry does not begin.
    @exclusivity(unchecked) package var outcome: ResponseInfo?
    /// The ticket of the current wait for a retry.
    @exclusivity(unchecked) package var retry: WaitTicket?
    /// What the steps of one feature share beside the history.
    @exclusivity(unchecked) package var shared: AnyObject?
    /// The wait that people see; nil if they see none.
    @exclusivity(unchecked) fileprivate var shown: Resource.Retry?

    init(at now: TimeInterval) {
        startTime = now
    }

    package func elapsed(at now: TimeInterval) -> TimeInterval { max(0, now - startTime) }
}

extension Exchange {
    /// The attempts so far. Steps that need them call this before the first attempt.
    package func startHistory() -> AttemptHistory? {
        guard history == nil, resource != nil else { return history }
        let new = AttemptHistory(at: clock.monotonicTime)
        history = new
        return new
    }

    /// Notes in a failure the time for which the server asks, so that no load begins before.
    func holdBack(_ info: inout ResponseInfo, _ arrival: Arrival) {
        guard case .failure(let error) = info.response, !error.isCancellation,
            let asked = arrival.advice.value?.retryAfter
        else { return }
        info.response = .failure(held(error, for: asked))
    }

    /// Shows that the exchange waits. `time` is monotonic, in seconds; nil if the end is unknown.
    package func showWait(_ reason: Resource.Retry.Reason, until time: TimeInterval?) {
        // Code of the app, such as the handler of the log, may have ended the wait.
        guard let history, let resource, wait != nil else { return }
        let seconds = time.map { max(0, $0 - clock.monotonicTime) }
        let date = seconds.map { Date(timeIntervalSinceReferenceDate: clock.wallTime + $0) }
        resource.record(.requestWaits(seconds: seconds, reason: "\(reason)"))
        let retry = Resource.Retry(
            reason: reason, attempt: history.number, number: history.retryCount,
            limit: history.retryLimit, date: date, error: history.lastError)
        extendLifetime(exchange(&history.shown, with: retry))
        resource.setRetry(history.shown, of: self)
    }

    /// Shows that the exchange waits no longer.
    func hideWait() {
        guard let history, history.shown != nil else { return }
        extendLifetime(exchange(&history.shown, with: nil))
        resource?.setRetry(history.shown, of: self)
    }

    /// Returns an error with the time in seconds for which the server asks, so that no load begins before.
    package func held(_ error: RequestError, for asked: TimeInterval?) -> RequestError {
        guard let asked, let resource else { return error }
        var error = error
        let retryTime = resource.resolvedConfiguration(for: .get).freshnessLimits.retryTime
        error.additionalRetryTime = max(error.additionalRetryTime, asked - max(0, retryTime))
        return error
    }
}
