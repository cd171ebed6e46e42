#if os(Linux) || os(Android)
/// The time-outs of one exchange, and the phase in which each of them occurs.
///
/// Times are in nanoseconds of the monotonic clock.
struct ExchangeTimers: Sendable, Equatable {
    /// The maximum durations of the parts of an exchange.
    struct Limits: Sendable, Equatable {
        var connect: UInt64
        var idle: UInt64
        var total: UInt64?
        /// The maximum duration of a wait on a connection without the transfer of a body.
        var waiting = UInt64.max
        var pace: Pace?
    }

    /// The minimum number of bytes of a body that must be transferred in a period.
    struct Pace: Sendable, Equatable {
        var bytes: Int64
        var period: UInt64
    }

    /// The kind of traffic on the connection of an exchange.
    enum Traffic: Sendable, Equatable {
        /// No traffic is required.
        case unmonitored
        /// No body is transferred: the exchange waits for the head of the response.
        case waiting
        /// A body is transferred. The value is the number of bytes transferred since the request began.
        case body(Int64)
    }

    var limits: Limits

    /// The time at which the exchange began.
    let started: UInt64

    /// The time at which the current request began, after redirects.
    var requestStarted: UInt64

    /// The time at which the current request began to connect. Nil while it waits for a free connection, and if it uses
    /// an existing connection.
    var connectingSince: UInt64?

    /// The time of the last traffic.
    var lastTraffic: UInt64

    /// True if the exchange waits for its body source, and not for the network.
    var awaitsSource = false

    /// True if the exchange waits for its consumer, and not for the network.
    var awaitsConsumer = false

    /// True if the body source has ended.
    var hasReadSource = false

    /// The current measurement: its start, and the traffic at that time. Nil while the traffic is unmonitored.
    private var measurement: Measurement?

    private struct Measurement: Equatable {
        var start: UInt64
        var traffic: Traffic
    }

    init(limits: Limits, now: UInt64) {
        self.limits = limits
        started = now
        requestStarted = now
        lastTraffic = now
    }

    /// Begins a request: the first request, or a request after a redirect.
    mutating func startRequest(now: UInt64) {
        requestStarted = now
        connectingSince = nil
        lastTraffic = now
        awaitsSource = false
        awaitsConsumer = false
        hasReadSource = false
        measurement = nil
    }

    /// Records that the source or the consumer no longer delays the exchange.
    mutating func resume(now: UInt64) {
        lastTraffic = now
        measurement = nil
    }

    /// The action at a certain time.
    enum Decision: Equatable {
        case timedOut(TransportError.Phase)
        /// The connection that the request could share takes too long. A new connection must be opened.
        case openConnection
        /// No action before this time.
        case wait(until: UInt64)
    }

    /// Returns the action at `now`. `connected` is the time between ``requestStarted`` and the connection; nil if the
    /// request has no connection yet.
    mutating func decision(
        now: UInt64, connected: UInt64?, hasHead: Bool, traffic: Traffic = .unmonitored, waitsForSharing: Bool = false
    ) -> Decision {
        let phase: TransportError.Phase = hasHead ? .reading : connected == nil ? .connecting : .waiting
        let end = limits.total.map { started.advanced($0) } ?? .max
        let idleDeadline = deadline(now: now, connected: connected)
        let trafficDeadline = connected == nil ? .max : deadline(now: now, traffic: traffic)
        let sharingDeadline =
            waitsForSharing && connected == nil && connectingSince == nil
            ? requestStarted.advanced(Self.sharingTimeout) : .max
        let first = min(end, idleDeadline, trafficDeadline)
        if first <= now { return .timedOut(phase) }
        return sharingDeadline <= now ? .openConnection : .wait(until: min(first, sharingDeadline))
    }

    /// Returns the time at which the exchange will count as too slow if it makes no progress.
    private mutating func deadline(now: UInt64, traffic: Traffic) -> UInt64 {
        let traffic = awaitsSource || awaitsConsumer ? .unmonitored : traffic
        switch (traffic, measurement?.traffic) {
        case (.unmonitored, _): measurement = nil
        case (.body(let moved), .body(let before)?):
            guard let pace = limits.pace, let start = measurement?.start, start.advanced(pace.period) <= now else {
                break
            }
            guard moved - before >= pace.bytes else { return now }
            measurement = Measurement(start: now, traffic: traffic)
        case (.waiting, .waiting?): break
        case (.body, _), (.waiting, _): measurement = Measurement(start: now, traffic: traffic)
        }
        return measurement.map { end(of: $0) } ?? .max
    }

    private func end(of measurement: Measurement) -> UInt64 {
        if case .waiting = measurement.traffic { return measurement.start.advanced(limits.waiting) }
        return limits.pace.map { measurement.start.advanced($0.period) } ?? .max
    }

    private func deadline(now: UInt64, connected: UInt64?) -> UInt64 {
        if awaitsSource || awaitsConsumer { return .max }
        if let connected { return max(lastTraffic, requestStarted.advanced(connected)).advanced(limits.idle) }
        if let connectingSince { return connectingSince.advanced(limits.connect) }
        return now.advanced(min(limits.connect, limits.idle))  // queued: check again later
    }

    /// The maximum wait for another request to open a connection that both can share, in nanoseconds.
    static let sharingTimeout: UInt64 = 1_000_000_000

    /// The earliest time at which any limit can be exceeded. It is cheap to compute for every exchange.
    var earliest: UInt64 {
        min(lastTraffic.advanced(min(limits.connect, limits.idle)), limits.total.map { started.advanced($0) } ?? .max)
    }
}

extension ExchangeTimers.Limits {
    /// Creates the limits of the options, in nanoseconds. If the request has an idle time-out, it replaces the idle
    /// time-out of the options.
    ///
    /// A server may be silent until the idle time-out. Therefore no other limit except the total limit is shorter.
    init(_ options: TransportOptions, idleTimeout: Double?, isStreamed: Bool) {
        let idle = UInt64.nanoseconds(idleTimeout ?? options.idleTimeout)
        let load = options.loadTimeout.map { max(.nanoseconds($0), idle) }
        let total = options.totalTimeout.map { UInt64.nanoseconds($0) }
        connect = .nanoseconds(options.connectTimeout)
        self.idle = idle
        self.total = isStreamed ? total : [load, total].compactMap { $0 }.min()
        waiting = isStreamed ? load ?? .max : .max
        pace = options.minimumSpeed.map { ExchangeTimers.Pace($0, over: options.minimumSpeedPeriod, idle: idle) }
    }
}

extension ExchangeTimers.Pace {
    fileprivate init(_ bytesPerSecond: Double, over seconds: Double, idle: UInt64) {
        period = max(.nanoseconds(seconds), idle)
        bytes = Int64(min(max(0, bytesPerSecond) * Double(period) / 1e9, 1e15))
    }
}

extension UInt64 {
    /// Converts seconds to nanoseconds. The result is at least a millisecond and at most thirty years; infinity and NaN
    /// give thirty years.
    static func nanoseconds(_ seconds: Double) -> UInt64 {
        UInt64((seconds < 1e9 ? Swift.max(seconds, 0.001) : 1e9) * 1e9)
    }

    fileprivate func advanced(_ interval: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(interval)
        return overflow ? .max : sum
    }
}
#endif
