import Foundation
import SiestaCore

/// The known state of an origin, and the rules that decide when it receives the next request. Pure.
///
/// All times are monotonic, in seconds.
struct OriginHealth {
    /// The reason why a request waits.
    enum Hold: Equatable {
        /// The server asks to send no request before this time.
        case closed(until: TimeInterval)
        /// The rate is exceeded until this time.
        case rate(until: TimeInterval)
        /// The maximum number of requests is running.
        case concurrency

        /// True if another wait has the same reason, and the same end apart from rounding.
        func isNearly(_ other: Hold) -> Bool {
            switch (self, other) {
            case (.closed(let time), .closed(let otherTime)), (.rate(let time), .rate(let otherTime)):
                time == otherTime || abs(time - otherTime) < 0.001
            default: self == other
            }
        }
    }

    enum Admission: Equatable {
        case send
        /// The request is sent as the probe of a circuit breaker.
        case probe
        case hold(Hold)
        /// The request fails. Another one is useful only after this time.
        case refuse(until: TimeInterval)
    }

    private(set) var budget = RetryBudget()
    /// The time before which the server wants no request.
    private(set) var closedUntil = -TimeInterval.infinity
    /// The number of paced requests that were sent and have not ended.
    private(set) var running = 0
    private var bucket: Bucket?
    private var failures = 0
    /// The time of the last failure, or the end of the last pause if that is later.
    private var failureTime = -TimeInterval.infinity
    /// The end of the pause of a circuit breaker; nil if there is none.
    private(set) var pausedUntil: TimeInterval?
    private var isProbing = false

    /// The time after which failures and a pause are forgotten if no probe was sent, in seconds.
    static let failureMemory: TimeInterval = 600

    private struct Bucket {
        var tokens: Double
        var filledAt: TimeInterval
    }

    /// Decides about the next request. If the result is `.send` or `.probe`, the request counts as sent.
    mutating func admit(at now: TimeInterval, within pacing: Pacing) -> Admission {
        if pacing.followsServer, closedUntil > now {
            let limit = max(0, pacing.waitLimit)
            return closedUntil - now > limit ? .refuse(until: closedUntil) : .hold(.closed(until: closedUntil))
        }
        forgetFailures(at: now)
        if pacing.failureLimit != nil, let pausedUntil, isProbing || pausedUntil > now {
            return .refuse(until: max(pausedUntil, now))
        }
        if let limit = pacing.concurrentRequests, running >= max(1, limit) { return .hold(.concurrency) }
        if let time = nextToken(at: now, within: pacing) { return .hold(.rate(until: time)) }
        running += 1
        guard pacing.failureLimit != nil, pausedUntil != nil else { return .send }
        isProbing = true
        return .probe
    }

    private func hasForgottenFailures(at now: TimeInterval) -> Bool {
        failures == 0 && pausedUntil == nil || !isProbing && now - failureTime > Self.failureMemory
    }

    private mutating func forgetFailures(at now: TimeInterval) {
        if hasForgottenFailures(at: now) { (failures, pausedUntil) = (0, nil) }
    }

    /// Takes a token for one request. Returns nil if there was one; otherwise the time at which there will be one.
    private mutating func nextToken(at now: TimeInterval, within pacing: Pacing) -> TimeInterval? {
        guard let wanted = pacing.requestsPerSecond else { return nil }
        let rate = wanted > 0 ? wanted : 1 / 60
        let capacity = Double(max(1, pacing.burst))
        var bucket = bucket ?? Bucket(tokens: capacity, filledAt: now)
        bucket.tokens = min(capacity, bucket.tokens + max(0, now - bucket.filledAt) * rate)
        bucket.filledAt = now
        defer { self.bucket = bucket }
        // A timer may be early by the precision of its time. A wait that is shorter than this precision would never end.
        let time = now + (1 - bucket.tokens) / rate
        guard bucket.tokens >= 1 - 1e-6 || time <= now else { return time }
        bucket.tokens = max(0, bucket.tokens - 1)
        return nil
    }

    /// The outcome of a request for its origin.
    enum Outcome {
        case success
        case failure
        /// The request was cancelled, or says nothing about the server.
        case unknown
    }

    /// Records the end of a request that was admitted. While a probe is running, the failures of requests that were
    /// sent before it decide nothing.
    mutating func end(_ outcome: Outcome, ofProbe isProbe: Bool = false, at now: TimeInterval, within pacing: Pacing) {
        running = max(0, running - 1)
        let decides = isProbe && isProbing
        if decides { isProbing = false }
        guard let limit = pacing.failureLimit, !isProbing || outcome == .success else { return }
        switch outcome {
        case .success: closeCircuit()
        case .failure:
            if !decides { forgetFailures(at: now) }
            failures += 1
            failureTime = now
            guard decides || failures >= max(1, limit) else { return }
            let pause = pacing.failurePause
            failureTime = now + (pause >= RetryRules.minimumDelay ? pause : RetryRules.minimumDelay)
            pausedUntil = failureTime
        case .unknown: break
        }
    }

    /// Records a success, after which the circuit breaker admits requests again.
    mutating func closeCircuit() {
        (failures, pausedUntil, isProbing) = (0, nil, false)
    }

    /// Records that the server wants no request before `time`.
    mutating func close(until time: TimeInterval) {
        closedUntil = max(closedUntil, time)
    }

    /// Forgets that the server wants no request, because another user is signed in.
    mutating func reopen() {
        closedUntil = -.infinity
    }

    /// Counts a request that is no retry.
    mutating func noteRequest(at now: TimeInterval) {
        budget.noteRequest(at: now)
    }

    /// Takes a retry from the budget. Returns false if the budget is used up.
    mutating func takeRetry(at now: TimeInterval) -> Bool {
        budget.takeRetry(at: now)
    }

    /// True if nothing would change if the origin were forgotten.
    func isForgettable(at now: TimeInterval) -> Bool {
        running == 0 && closedUntil <= now && hasForgottenFailures(at: now) && budget.isEmpty(at: now)
            && (bucket.map { now - $0.filledAt > RetryBudget.window } ?? true)
    }
}

/// The limit of retries to an origin: in each minute, 20 % of the requests, or 10 if that is more. Pure.
struct RetryBudget {
    /// The length of the period over which requests are counted, in seconds.
    static let window: TimeInterval = 60
    /// The number of retries in a period that are always allowed.
    static let reserve = 10
    /// The greatest ratio of retries to requests.
    static let ratio = 0.2

    private struct Slot {
        var index: Int
        var requests = 0
        var retries = 0
    }

    /// The counts of at most ``slotCount`` parts of the period, the oldest first.
    private var slots: [Slot] = []

    private static let slotCount = 12

    mutating func noteRequest(at now: TimeInterval) {
        slots[slot(at: now)].requests += 1
    }

    mutating func takeRetry(at now: TimeInterval) -> Bool {
        let current = slot(at: now)
        let requests = slots.reduce(0) { $0 + $1.requests }
        let retries = slots.reduce(0) { $0 + $1.retries }
        guard retries < max(Self.reserve, Int(Double(requests) * Self.ratio)) else { return false }
        slots[current].retries += 1
        return true
    }

    /// The numbers of requests and retries in the period that ends with the last request.
    var counts: (requests: Int, retries: Int) {
        slots.reduce((0, 0)) { ($0.0 + $1.requests, $0.1 + $1.retries) }
    }

    func isEmpty(at now: TimeInterval) -> Bool {
        (slots.last?.index ?? .min) <= Self.index(at: now) - Self.slotCount
    }

    /// Returns the number of a part of the period. Times that an integer cannot count belong to one part.
    private static func index(at now: TimeInterval) -> Int {
        Int(min(max((now / (window / Double(slotCount))).rounded(.down), -0x1p53), 0x1p53))
    }

    /// Drops the counts of earlier periods. Returns the position of the current part.
    private mutating func slot(at now: TimeInterval) -> Int {
        let index = max(Self.index(at: now), slots.last?.index ?? .min)
        if slots.last?.index != index { slots.append(Slot(index: index)) }
        slots.removeAll { $0.index <= index - Self.slotCount }
        return slots.count - 1
    }
}
