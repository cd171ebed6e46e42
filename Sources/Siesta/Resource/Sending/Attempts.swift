import Foundation

/// The attempts of one request whose configuration has retries, pacing or waits for the network.
///
/// It asks the origin for permission before each attempt, and decides after each failure whether there is another
/// attempt. ``NetworkRequest`` sends and receives.
@MainActor
final class Attempts {
    private enum Phase {
        case notStarted
        /// The origin has not permitted the attempt yet.
        case held(Origin.Ticket)
        /// The attempt was sent. It may be the probe of a circuit breaker.
        case sent(isProbe: Bool)
        /// The request waits for a time, or for the network.
        case waiting(Wait)
        case ended
    }

    /// A wait and its two ends. Timers do not hold them, because they may be due long after a cancellation.
    private struct Wait {
        /// Distinguishes the timers of different waits.
        let number: Int
        let isForNetwork: Bool
        let again: () -> Void
        let fail: (RequestError) -> Void
    }

    private let resource: Resource
    private let options: AttemptOptions
    private let origin: Origin
    private let startTime: TimeInterval
    private var phase = Phase.notStarted
    private var waitCount = 0
    /// The time at which the request stops to wait for the network; nil before it waits.
    private var offlineEnd: TimeInterval?
    private var lastError: RequestError?
    private var isShown = false
    /// The number of the current attempt, or of the next if the request waits: 1 for the first.
    private(set) var number = 1
    private var retryCount = 0

    private var clock: SiestaClock { resource.context.clock }
    private var conditions: Conditions { resource.context.conditions }

    init(_ request: PreparedRequest, of resource: Resource, options: AttemptOptions) {
        (self.resource, self.options) = (resource, options)
        origin = resource.context.origins[request.url]
        startTime = resource.context.clock.monotonicTime
        if options.retry.isOn { origin.noteRequest() }
        if options.offlineLimit != nil { conditions.start() }
    }

    /// True if the request waits when a quota of the server is used up.
    var followsQuotas: Bool { options.pacing.isOn && options.pacing.followsServer }

    /// True if the next attempt waits for a timer, for the network, or for the permission of the origin.
    var isWaiting: Bool {
        switch phase {
        case .held, .waiting: true
        case .notStarted, .sent, .ended: false
        }
    }

    var elapsed: TimeInterval { max(0, clock.monotonicTime - startTime) }

    // MARK: Sending

    /// Calls `send` when the origin permits it: at once, or later. Calls `fail` if the origin refuses it.
    func begin(send: @escaping () -> Void, fail: @escaping (RequestError) -> Void) {
        guard options.pacing.isOn else {
            phase = .sent(isProbe: false)
            return send()
        }
        let ticket = Origin.Ticket(pacing: options.pacing, priority: options.priority) { [weak self] answer in
            guard let self, case .held = phase else { return }
            switch answer {
            case .hold(let hold): show(reason(of: hold), until: time(of: hold))
            case .send(let isProbe):
                phase = .sent(isProbe: isProbe)
                hide()
                clock.whileCurrent(send)
            case .refuse(let time):
                phase = .ended
                hide()
                clock.whileCurrent { fail(self.refusal(until: time)) }
            }
        }
        phase = .held(ticket)
        origin.enter(ticket)
    }

    /// Returns the error of a request that the origin refuses: that of the last attempt, if there was one.
    private func refusal(until time: TimeInterval) -> RequestError {
        let wait = max(0, time - clock.monotonicTime)
        let cause = RequestError.Cause.ServerUnavailable(retryAfter: wait)
        return held(
            lastError ?? RequestError(userMessage: UserMessages.current.serverUnavailable, cause: cause), for: wait)
    }

    // MARK: Receiving

    /// The properties of a request that decide whether it may be sent again.
    struct Sent {
        let method: String
        let hasIdempotencyKey: Bool
        let isRepeatable: Bool
    }

    /// Handles the end of an attempt. Returns true if there will be another one, which `again` then begins. If the
    /// request waits in vain, `fail` is called with the error.
    ///
    /// If there is no other attempt, `info` may receive an error with a time before which no load should begin.
    func end(
        with info: inout ResponseInfo, advice: ServerAdvice, of request: () -> Sent, again: @escaping () -> Void,
        fail: @escaping (RequestError) -> Void
    ) -> Bool {
        guard case .sent(let isProbe) = phase else { return false }
        phase = .notStarted
        guard case .failure(let error) = info.response, !error.isCancellation else {
            let isCancellation = info.response.isCancellation
            leave(isCancellation ? .unknown : .success, isProbe, advice)
            return false
        }
        let cause = RetryRules.Cause(error, status: advice.status)
        leave(cause.outcome, isProbe, advice)
        let sent = request()
        let failure = RetryRules.Failure(
            number: retryCount + 1, method: sent.method, hasIdempotencyKey: sent.hasIdempotencyKey,
            isRepeatable: sent.isRepeatable, cause: cause, retryAfter: advice.retryAfter, elapsed: elapsed)
        lastError = error
        if waitForNetwork(after: failure, again: again, fail: fail) { return true }
        let decision = decide(failure, error)
        guard case .notStarted = phase else { return false }  // Code of the app has cancelled the request.
        switch decision {
        case .wait(let delay):
            number += 1
            retryCount += 1
            wait(for: delay, reason(of: cause), beginWait(again: again, fail: fail))
            return true
        case .giveUp(let obstacle):
            if options.retry.isOn { SiestaLog.log(.network, ["No retry for", resource, ":", obstacle.rawValue]) }
            info.response = .failure(held(error, for: advice.retryAfter))
            return false
        }
    }

    /// Ends an attempt whose credential the server has refused. The next attempt is no retry.
    func endWithoutRetry(_ advice: ServerAdvice) {
        guard case .sent(let isProbe) = phase else { return }
        phase = .notStarted
        leave(.success, isProbe, advice)
    }

    private func leave(_ outcome: OriginHealth.Outcome, _ isProbe: Bool, _ advice: ServerAdvice) {
        guard options.pacing.isOn else { return }
        if options.pacing.followsServer, let closing = advice.closing { origin.close(for: closing) }
        origin.end(outcome, ofProbe: isProbe, within: options.pacing)
    }

    private func decide(_ failure: RetryRules.Failure, _ error: RequestError) -> RetryRules.Decision {
        let attempt = RetryPolicy.FailedAttempt(
            number: number, method: failure.method, error: error, retryAfter: failure.retryAfter,
            elapsed: failure.elapsed)
        let choice = clock.whileCurrent { options.retry.decide?(attempt) }
        let rules = RetryRules(policy: options.retry)
        let decision = rules.decide(failure, choice: choice, fraction: clock.fraction)
        guard case .wait = decision, !origin.takeRetry() else { return decision }
        return .giveUp(.budget)
    }

    /// Returns the error with the time in seconds for which the server asks, so that no load begins before.
    private func held(_ error: RequestError, for asked: TimeInterval?) -> RequestError {
        guard let asked else { return error }
        var error = error
        let retryTime = resource.resolvedConfiguration(for: .get).freshnessLimits.retryTime
        error.additionalRetryTime = max(error.additionalRetryTime, asked - max(0, retryTime))
        return error
    }

    // MARK: Waiting

    private func wait(for delay: TimeInterval, _ reason: Resource.Retry.Reason, _ wait: Int) {
        let delay = spaced(delay)
        SiestaLog.log(.network, ["Attempt", number, "of", resource, "in", delay, "s"])
        clock.schedule(after: delay) { [weak self] in self?.endWait(wait) }
        show(reason, until: clock.monotonicTime + delay)
    }

    /// Waits for the network, if there is none and the configuration says so.
    private func waitForNetwork(
        after failure: RetryRules.Failure, again: @escaping () -> Void, fail: @escaping (RequestError) -> Void
    ) -> Bool {
        // The network status may be code of the app, which may cancel the request.
        guard let limit = options.offlineLimit, failure.isUnaffectedByRepetition, !conditions.isConnected,
            case .notStarted = phase
        else { return false }
        let now = clock.monotonicTime
        let end = offlineEnd ?? now + limit
        offlineEnd = end
        guard end > now else { return false }
        number += 1
        let wait = beginWait(isForNetwork: true, again: again, fail: fail)
        if end.isFinite { clock.schedule(after: end - now) { [weak self] in self?.endWait(wait, isInVain: true) } }
        conditions.waitForNetwork(self) { [weak self] in self?.networkReturned(wait) }
        SiestaLog.log(.network, [resource, "waits for the network"])
        show(.offline, until: nil)
        return true
    }

    /// Makes the next attempt a short time after the network has returned, because many requests may have waited. The
    /// wait for the network has ended, so that its limit no longer counts.
    private func networkReturned(_ number: Int) {
        guard case .waiting(let wait) = phase, wait.number == number else { return }
        let delay = spaced(RetryRules.minimumDelay + clock.fraction * 0.4)
        let next = beginWait(again: wait.again, fail: wait.fail)
        clock.schedule(after: delay) { [weak self] in self?.endWait(next) }
    }

    /// Returns a delay after which no other automatic attempt of the resource is near.
    private func spaced(_ delay: TimeInterval) -> TimeInterval {
        let now = clock.monotonicTime
        return resource.context.attemptTimes.reserve(ObjectIdentifier(resource), at: now + delay, now: now) - now
    }

    private func beginWait(
        isForNetwork: Bool = false, again: @escaping () -> Void, fail: @escaping (RequestError) -> Void
    ) -> Int {
        waitCount += 1
        phase = .waiting(Wait(number: waitCount, isForNetwork: isForNetwork, again: again, fail: fail))
        resource.context.delayedAttempts[ObjectIdentifier(resource), default: [:]][ObjectIdentifier(self)] = self
        return waitCount
    }

    private func noteEndOfWait() {
        conditions.stopWaiting(self)
        let key = ObjectIdentifier(resource)
        resource.context.delayedAttempts[key]?[ObjectIdentifier(self)] = nil
        if resource.context.delayedAttempts[key]?.isEmpty == true { resource.context.delayedAttempts[key] = nil }
    }

    /// Makes the next attempt now, if the request waits after a failure. Does nothing if it waits for the network.
    func endWaitEarly() {
        guard case .waiting(let wait) = phase, !wait.isForNetwork else { return }
        endWait(wait.number)
    }

    private func endWait(_ number: Int, isInVain: Bool = false) {
        guard case .waiting(let wait) = phase, wait.number == number else { return }
        noteEndOfWait()
        phase = .notStarted
        hide()
        // Code of the app may have cancelled the request when it was told.
        guard case .notStarted = phase else { return }
        clock.whileCurrent {
            if isInVain, let lastError { wait.fail(lastError) } else { wait.again() }
        }
    }

    /// Ends all waits, because the request has ended.
    func stop() {
        let last = exchange(&phase, with: .ended)
        switch last {
        case .held(let ticket): origin.leave(ticket)
        case .sent(let isProbe):
            if options.pacing.isOn { origin.end(.unknown, ofProbe: isProbe, within: options.pacing) }
        case .waiting: noteEndOfWait()
        case .notStarted, .ended: break
        }
        hide()
    }

    // MARK: Showing

    private func show(_ reason: Resource.Retry.Reason, until time: TimeInterval?) {
        let date = time.map {
            Date(timeIntervalSinceReferenceDate: clock.wallTime + max(0, $0 - clock.monotonicTime))
        }
        isShown = true
        let seconds = time.map { max(0, $0 - clock.monotonicTime) }
        resource.record(.requestWaits(seconds: seconds, reason: "\(reason)"))
        let retry = Resource.Retry(
            reason: reason, attempt: number, number: retryCount, limit: max(0, options.retry.retryLimit), date: date,
            error: lastError)
        resource.setRetry(retry, of: self)
    }

    private func hide() {
        guard isShown else { return }
        isShown = false
        resource.setRetry(nil, of: self)
    }

    private func reason(of hold: OriginHealth.Hold) -> Resource.Retry.Reason {
        switch hold {
        case .closed: .server
        case .rate: .rate
        case .concurrency: .concurrency
        }
    }

    private func time(of hold: OriginHealth.Hold) -> TimeInterval? {
        switch hold {
        case .closed(let time), .rate(let time): time
        case .concurrency: nil
        }
    }

    private func reason(of cause: RetryRules.Cause) -> Resource.Retry.Reason {
        switch cause {
        case .status(let status): .status(status)
        case .connection: .connection
        case .other: .other
        }
    }
}

extension RetryRules.Failure {
    /// True if the request can be sent again without a second effect on the server, whatever the policy is.
    fileprivate var isUnaffectedByRepetition: Bool {
        guard isRepeatable, case .connection(let isUnsent) = cause else { return false }
        return isUnsent || hasIdempotencyKey || ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"].contains(method)
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
