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
        /// For a wait on a connection in which no body moves.
        var still = UInt64.max
        var pace: Pace?
    }

    /// How much of a body has to move at least.
    struct Pace: Sendable, Equatable {
        var bytes: Int64
        var period: UInt64
    }

    /// What moves on the connection of a transfer.
    enum Motion: Sendable, Equatable {
        /// Nothing has to.
        case free
        /// No body: the transfer waits for the head of the response.
        case still
        /// A body, of which so many bytes have moved since the request began.
        case body(Int64)
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

    /// Whether the body source has come to its end.
    var hasReadSource = false

    /// Since when the motion is what it is, or is measured, and how many bytes had moved before; nil while it is free.
    private var stretch: Stretch?

    private struct Stretch: Equatable {
        var start: UInt64
        var motion: Motion
    }

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
        hasReadSource = false
        stretch = nil
    }

    /// The source or the consumer no longer holds up the transfer.
    mutating func goOn(now: UInt64) {
        lastMove = now
        stretch = nil
    }

    /// What is to be done at some moment.
    enum Verdict: Equatable {
        case timedOut(TransportError.Phase)
        /// The connection that the request hopes to share takes its time: it needs one of its own.
        case openConnection
        /// Nothing before this time.
        case wait(until: UInt64)
    }

    /// The verdict at `now`; `connected` is how long after ``requestStarted`` the connection stood, nil if it does not.
    mutating func verdict(
        now: UInt64, connected: UInt64?, hasHead: Bool, motion: Motion = .free, waitsForSharing: Bool = false
    ) -> Verdict {
        let phase: TransportError.Phase = hasHead ? .reading : connected == nil ? .connecting : .waiting
        let end = limits.total.map { started.advanced($0) } ?? .max
        let stuck = deadline(now: now, connected: connected)
        let slow = connected == nil ? .max : deadline(now: now, motion: motion)
        let alone =
            waitsForSharing && connected == nil && connectingSince == nil
            ? requestStarted.advanced(Self.longestWaitForSharing) : .max
        let first = min(end, stuck, slow)
        if first <= now { return .timedOut(phase) }
        return alone <= now ? .openConnection : .wait(until: min(first, alone))
    }

    /// When the transfer is too slow, unless it moves until then.
    private mutating func deadline(now: UInt64, motion: Motion) -> UInt64 {
        let motion = awaitsSource || awaitsConsumer ? .free : motion
        switch (motion, stretch?.motion) {
        case (.free, _): stretch = nil
        case (.body(let moved), .body(let before)?):
            guard let pace = limits.pace, let start = stretch?.start, start.advanced(pace.period) <= now else { break }
            guard moved - before >= pace.bytes else { return now }
            stretch = Stretch(start: now, motion: motion)
        case (.still, .still?): break
        case (.body, _), (.still, _): stretch = Stretch(start: now, motion: motion)
        }
        return stretch.map { end(of: $0) } ?? .max
    }

    private func end(of stretch: Stretch) -> UInt64 {
        if case .still = stretch.motion { return stretch.start.advanced(limits.still) }
        return limits.pace.map { stretch.start.advanced($0.period) } ?? .max
    }

    private func deadline(now: UInt64, connected: UInt64?) -> UInt64 {
        if awaitsSource || awaitsConsumer { return .max }
        if let connected { return max(lastMove, requestStarted.advanced(connected)).advanced(limits.idle) }
        if let connectingSince { return connectingSince.advanced(limits.connect) }
        return now.advanced(min(limits.connect, limits.idle))  // queued: look again later
    }

    /// Nanoseconds in which another request may open a connection that both can use.
    static let longestWaitForSharing: UInt64 = 1_000_000_000

    /// No limit is passed before this, whatever happens; cheap enough for every transfer.
    var earliest: UInt64 {
        min(lastMove.advanced(min(limits.connect, limits.idle)), limits.total.map { started.advanced($0) } ?? .max)
    }
}

extension TransferTimers.Limits {
    /// The limits of the options, in nanoseconds, with the idle time-out of the request if it has one.
    ///
    /// A server may be silent until the idle time-out, so that no other limit but the total may be shorter.
    init(_ options: TransportOptions, idleTimeout: Double?, isStreamed: Bool) {
        let idle = UInt64.nanoseconds(idleTimeout ?? options.idleTimeout)
        let load = options.loadTimeout.map { max(.nanoseconds($0), idle) }
        let total = options.totalTimeout.map { UInt64.nanoseconds($0) }
        connect = .nanoseconds(options.connectTimeout)
        self.idle = idle
        self.total = isStreamed ? total : [load, total].compactMap { $0 }.min()
        still = isStreamed ? load ?? .max : .max
        pace = options.minimumSpeed.map { TransferTimers.Pace($0, idle: idle) }
    }
}

extension TransferTimers.Pace {
    fileprivate init(_ speed: TransportOptions.MinimumSpeed, idle: UInt64) {
        period = max(.nanoseconds(speed.period), idle)
        bytes = Int64(min(max(0, speed.bytesPerSecond) * Double(period) / 1e9, 1e15))
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
