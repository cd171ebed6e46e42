#if os(Linux)
/// When a transfer has taken too long, and in what it had got stuck.
///
/// Times are nanoseconds of the monotonic clock.
struct TransferTimers: Sendable, Equatable {
    /// How long each part may take.
    struct Limits: Sendable, Equatable {
        var connect: UInt64
        var idle: UInt64
        var total: UInt64?
    }

    var limits: Limits

    /// When the transfer began.
    let started: UInt64

    /// When the present request began, after redirects.
    var requestStarted: UInt64

    /// When the present request began to connect; nil while it waits for a free connection, or if it uses one that is
    /// there.
    var connectingSince: UInt64?

    /// When a byte moved last.
    var lastMove: UInt64

    /// Whether the transfer waits for its body source, and not for the network.
    var awaitsSource = false

    /// Whether the transfer waits for its consumer, and not for the network.
    var awaitsConsumer = false

    init(limits: Limits, now: UInt64) {
        self.limits = limits
        started = now
        requestStarted = now
        lastMove = now
    }

    /// A request begins: the first, or after a redirect.
    mutating func startRequest(now: UInt64) {
        requestStarted = now
        connectingSince = nil
        lastMove = now
        awaitsSource = false
        awaitsConsumer = false
    }

    /// What is to be done at some moment.
    enum Verdict: Equatable {
        case timedOut(TransportError.Phase)
        /// Nothing before this time.
        case wait(until: UInt64)
    }

    /// The verdict at `now`; `connected` is how long after ``requestStarted`` the connection stood, nil if it does not.
    func verdict(now: UInt64, connected: UInt64?, hasHead: Bool) -> Verdict {
        let phase: TransportError.Phase = hasHead ? .reading : connected == nil ? .connecting : .waiting
        let end = limits.total.map { started.advanced($0) } ?? .max
        let stuck = deadline(now: now, connected: connected)
        return min(end, stuck) <= now ? .timedOut(phase) : .wait(until: min(end, stuck))
    }

    private func deadline(now: UInt64, connected: UInt64?) -> UInt64 {
        if awaitsSource || awaitsConsumer { return .max }
        if let connected { return max(lastMove, requestStarted.advanced(connected)).advanced(limits.idle) }
        if let connectingSince { return connectingSince.advanced(limits.connect) }
        return now.advanced(min(limits.connect, limits.idle))  // queued: look again later
    }

    /// No limit is passed before this, whatever happens; cheap enough for every transfer.
    var earliest: UInt64 {
        min(lastMove.advanced(min(limits.connect, limits.idle)), limits.total.map { started.advanced($0) } ?? .max)
    }
}

extension TransferTimers.Limits {
    /// The limits of the options, in nanoseconds, with the idle time-out of the request if it has one.
    init(_ options: TransportOptions, idleTimeout: Double?) {
        connect = .nanoseconds(options.connectTimeout)
        idle = .nanoseconds(idleTimeout ?? options.idleTimeout)
        total = options.totalTimeout.map { .nanoseconds($0) }
    }
}

extension UInt64 {
    /// A time in nanoseconds; at least a millisecond, at most thirty years, which is also what infinity and NaN mean.
    static func nanoseconds(_ seconds: Double) -> UInt64 {
        UInt64((seconds < 1e9 ? Swift.max(seconds, 0.001) : 1e9) * 1e9)
    }

    fileprivate func advanced(_ interval: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(interval)
        return overflow ? .max : sum
    }
}
#endif
