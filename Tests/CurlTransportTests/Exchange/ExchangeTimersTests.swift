#if os(Linux)
import TestKit
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.test))
struct ExchangeTimersTests {
    private var timers = ExchangeTimers(limits: .init(connect: 30, idle: 60, total: nil), now: 1000)

    @Test mutating func `Waiting for a free connection is limited by the total alone`() {
        #expect(timers.decision(now: 5000, connected: nil, hasHead: false) == .wait(until: 5030))
        timers.limits.total = 4000
        #expect(timers.decision(now: 4999, connected: nil, hasHead: false) == .wait(until: 5000))
        #expect(timers.decision(now: 5000, connected: nil, hasHead: false) == .timedOut(.connecting))
    }

    @Test mutating func `Connecting is limited from where it begins`() {
        timers.connectingSince = 2000
        #expect(timers.decision(now: 2029, connected: nil, hasHead: false) == .wait(until: 2030))
        #expect(timers.decision(now: 2030, connected: nil, hasHead: false) == .timedOut(.connecting))
    }

    @Test mutating func `Silence counts from the connection, or from what moved last, whichever is later`() {
        #expect(timers.decision(now: 1000, connected: 500, hasHead: false) == .wait(until: 1560))
        #expect(timers.decision(now: 1560, connected: 500, hasHead: false) == .timedOut(.waiting))
        timers.lastTraffic = 1700
        #expect(timers.decision(now: 1759, connected: 500, hasHead: true) == .wait(until: 1760))
        #expect(timers.decision(now: 1760, connected: 500, hasHead: true) == .timedOut(.reading))
    }

    @Test mutating func `An exchange that waits for its source or its consumer is limited by the total alone`() {
        timers.awaitsConsumer = true
        #expect(timers.decision(now: 99_999, connected: 1, hasHead: true) == .wait(until: .max))
        timers.awaitsConsumer = false
        timers.awaitsSource = true
        timers.limits.total = 10
        #expect(timers.decision(now: 1010, connected: 1, hasHead: true) == .timedOut(.reading))
    }

    @Test mutating func `A body has to move fast enough in each period`() {
        timers.limits.pace = .init(bytes: 100, period: 500)
        func decision(_ now: UInt64, _ bytes: Int64) -> ExchangeTimers.Decision {
            timers.lastTraffic = now
            return timers.decision(now: now, connected: 1, hasHead: true, traffic: .body(bytes))
        }
        timers.limits.idle = 10_000
        #expect(decision(10_000, 0) == .wait(until: 10_500))
        #expect(decision(10_400, 1) == .wait(until: 10_500))
        #expect(decision(10_500, 100) == .wait(until: 11_000))
        #expect(decision(11_000, 199) == .timedOut(.reading))
    }

    @Test mutating func `The time in which a source or a consumer holds up an exchange does not count for its speed`() {
        timers.limits.pace = .init(bytes: 100, period: 500)
        timers.limits.idle = 10_000
        #expect(timers.decision(now: 2000, connected: 1, hasHead: true, traffic: .body(0)) == .wait(until: 2500))
        timers.awaitsConsumer = true
        #expect(timers.decision(now: 2600, connected: 1, hasHead: true, traffic: .body(0)) == .wait(until: .max))
        timers.awaitsConsumer = false
        timers.resume(now: 2700)
        #expect(timers.decision(now: 2700, connected: 1, hasHead: true, traffic: .body(0)) == .wait(until: 3200))
        timers.resume(now: 3100)
        #expect(timers.decision(now: 3300, connected: 1, hasHead: true, traffic: .body(0)) == .wait(until: 3800))
        #expect(timers.decision(now: 3800, connected: 1, hasHead: true, traffic: .unmonitored) != .timedOut(.reading))
    }

    @Test mutating func `Silence before a response has no speed; a streamed exchange limits it, whatever lines come`() {
        timers.limits.pace = .init(bytes: 100, period: 500)
        timers.limits.idle = 10_000
        timers.lastTraffic = 5000
        #expect(timers.decision(now: 5000, connected: 1, hasHead: false, traffic: .waiting) == .wait(until: 15_000))
        timers.limits.waiting = 3000
        #expect(timers.decision(now: 6000, connected: 1, hasHead: false, traffic: .waiting) == .wait(until: 8000))
        #expect(timers.decision(now: 7999, connected: 1, hasHead: false, traffic: .waiting) == .wait(until: 8000))
        #expect(timers.decision(now: 8000, connected: 1, hasHead: false, traffic: .waiting) == .timedOut(.waiting))
        #expect(timers.decision(now: 8000, connected: nil, hasHead: false, traffic: .waiting) == .wait(until: 8030))
    }

    @Test func `Loads have ten minutes, or their idle time-out if that is longer; streams have a speed instead`() {
        typealias Limits = ExchangeTimers.Limits
        var options = TransportOptions()
        let minute = 60_000_000_000 as UInt64
        #expect(Limits(options, idleTimeout: nil, isStreamed: false).total == 10 * minute)
        #expect(Limits(options, idleTimeout: 1200, isStreamed: false).total == 20 * minute)
        #expect(Limits(options, idleTimeout: nil, isStreamed: true).total == nil)
        #expect(Limits(options, idleTimeout: nil, isStreamed: true).waiting == 10 * minute)
        #expect(Limits(options, idleTimeout: nil, isStreamed: true).pace == .init(bytes: 600, period: minute))
        #expect(Limits(options, idleTimeout: 120, isStreamed: true).pace == .init(bytes: 1200, period: 2 * minute))
        options.totalTimeout = 60
        #expect(Limits(options, idleTimeout: nil, isStreamed: false).total == minute)
        #expect(Limits(options, idleTimeout: nil, isStreamed: true).total == minute)
        (options.totalTimeout, options.loadTimeout, options.minimumSpeed) = (nil, nil, nil)
        #expect(Limits(options, idleTimeout: nil, isStreamed: false).total == nil)
        #expect(Limits(options, idleTimeout: nil, isStreamed: true).waiting == .max)
        #expect(Limits(options, idleTimeout: nil, isStreamed: true).pace == nil)
    }

    @Test mutating func `A redirect starts all but the total again`() {
        timers.limits.total = 100
        timers.connectingSince = 1000
        timers.awaitsSource = true
        timers.startRequest(now: 1050)
        #expect(timers.connectingSince == nil)
        #expect(timers.decision(now: 1060, connected: 5, hasHead: false) == .wait(until: 1100))
        #expect(timers.decision(now: 1100, connected: 5, hasHead: false) == .timedOut(.waiting))
    }

    @Test mutating func `Nothing can time out before the earliest time`() {
        #expect(timers.earliest == 1030)
        timers.limits.total = 20
        #expect(timers.earliest == 1020)
    }

    @Test(
        arguments: [
            (1.5, 1_500_000_000), (0, 1_000_000), (-1, 1_000_000), (.infinity, 1_000_000_000_000_000_000),
            (.nan, 1_000_000_000_000_000_000), (1e30, 1_000_000_000_000_000_000),
        ] as [(Double, UInt64)])
    func `Seconds become nanoseconds of sense`(seconds: Double, nanoseconds: UInt64) {
        #expect(UInt64.nanoseconds(seconds) == nanoseconds)
    }
}
#endif
