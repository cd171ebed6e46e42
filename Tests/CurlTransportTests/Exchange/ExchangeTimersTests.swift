#if os(Linux)
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(5)))
struct ExchangeTimersTests {
    private var timers = ExchangeTimers(limits: .init(connect: 30, idle: 60, total: nil), now: 1000)

    @Test mutating func `Waiting for a free connection is limited by the total alone`() {
        #expect(timers.verdict(now: 5000, connected: nil, hasHead: false) == .wait(until: 5030))
        timers.limits.total = 4000
        #expect(timers.verdict(now: 4999, connected: nil, hasHead: false) == .wait(until: 5000))
        #expect(timers.verdict(now: 5000, connected: nil, hasHead: false) == .timedOut(.connecting))
    }

    @Test mutating func `Connecting is limited from where it begins`() {
        timers.connectingSince = 2000
        #expect(timers.verdict(now: 2029, connected: nil, hasHead: false) == .wait(until: 2030))
        #expect(timers.verdict(now: 2030, connected: nil, hasHead: false) == .timedOut(.connecting))
    }

    @Test mutating func `Silence counts from the connection, or from what moved last, whichever is later`() {
        #expect(timers.verdict(now: 1000, connected: 500, hasHead: false) == .wait(until: 1560))
        #expect(timers.verdict(now: 1560, connected: 500, hasHead: false) == .timedOut(.waiting))
        timers.lastMove = 1700
        #expect(timers.verdict(now: 1759, connected: 500, hasHead: true) == .wait(until: 1760))
        #expect(timers.verdict(now: 1760, connected: 500, hasHead: true) == .timedOut(.reading))
    }

    @Test mutating func `An exchange that waits for its source or its consumer is limited by the total alone`() {
        timers.awaitsConsumer = true
        #expect(timers.verdict(now: 99_999, connected: 1, hasHead: true) == .wait(until: .max))
        timers.awaitsConsumer = false
        timers.awaitsSource = true
        timers.limits.total = 10
        #expect(timers.verdict(now: 1010, connected: 1, hasHead: true) == .timedOut(.reading))
    }

    @Test mutating func `A body has to move fast enough in each period`() {
        timers.limits.pace = .init(bytes: 100, period: 500)
        func verdict(_ now: UInt64, _ bytes: Int64) -> ExchangeTimers.Verdict {
            timers.lastMove = now
            return timers.verdict(now: now, connected: 1, hasHead: true, motion: .body(bytes))
        }
        timers.limits.idle = 10_000
        #expect(verdict(10_000, 0) == .wait(until: 10_500))
        #expect(verdict(10_400, 1) == .wait(until: 10_500))
        #expect(verdict(10_500, 100) == .wait(until: 11_000))
        #expect(verdict(11_000, 199) == .timedOut(.reading))
    }

    @Test mutating func `The time in which a source or a consumer holds up an exchange does not count for its speed`() {
        timers.limits.pace = .init(bytes: 100, period: 500)
        timers.limits.idle = 10_000
        #expect(timers.verdict(now: 2000, connected: 1, hasHead: true, motion: .body(0)) == .wait(until: 2500))
        timers.awaitsConsumer = true
        #expect(timers.verdict(now: 2600, connected: 1, hasHead: true, motion: .body(0)) == .wait(until: .max))
        timers.awaitsConsumer = false
        timers.goOn(now: 2700)
        #expect(timers.verdict(now: 2700, connected: 1, hasHead: true, motion: .body(0)) == .wait(until: 3200))
        timers.goOn(now: 3100)
        #expect(timers.verdict(now: 3300, connected: 1, hasHead: true, motion: .body(0)) == .wait(until: 3800))
        #expect(timers.verdict(now: 3800, connected: 1, hasHead: true, motion: .free) != .timedOut(.reading))
    }

    @Test mutating func `Silence before a response has no speed; a streamed exchange limits it, whatever lines come`() {
        timers.limits.pace = .init(bytes: 100, period: 500)
        timers.limits.idle = 10_000
        timers.lastMove = 5000
        #expect(timers.verdict(now: 5000, connected: 1, hasHead: false, motion: .still) == .wait(until: 15_000))
        timers.limits.still = 3000
        #expect(timers.verdict(now: 6000, connected: 1, hasHead: false, motion: .still) == .wait(until: 8000))
        #expect(timers.verdict(now: 7999, connected: 1, hasHead: false, motion: .still) == .wait(until: 8000))
        #expect(timers.verdict(now: 8000, connected: 1, hasHead: false, motion: .still) == .timedOut(.waiting))
        #expect(timers.verdict(now: 8000, connected: nil, hasHead: false, motion: .still) == .wait(until: 8030))
    }

    @Test func `Loads have ten minutes, or their idle time-out if that is longer; streams have a speed instead`() {
        typealias Limits = ExchangeTimers.Limits
        var options = TransportOptions()
        let minute = 60_000_000_000 as UInt64
        #expect(Limits(options, idleTimeout: nil, isStreamed: false).total == 10 * minute)
        #expect(Limits(options, idleTimeout: 1200, isStreamed: false).total == 20 * minute)
        #expect(Limits(options, idleTimeout: nil, isStreamed: true).total == nil)
        #expect(Limits(options, idleTimeout: nil, isStreamed: true).still == 10 * minute)
        #expect(Limits(options, idleTimeout: nil, isStreamed: true).pace == .init(bytes: 600, period: minute))
        #expect(Limits(options, idleTimeout: 120, isStreamed: true).pace == .init(bytes: 1200, period: 2 * minute))
        options.totalTimeout = 60
        #expect(Limits(options, idleTimeout: nil, isStreamed: false).total == minute)
        #expect(Limits(options, idleTimeout: nil, isStreamed: true).total == minute)
        (options.totalTimeout, options.loadTimeout, options.minimumSpeed) = (nil, nil, nil)
        #expect(Limits(options, idleTimeout: nil, isStreamed: false).total == nil)
        #expect(Limits(options, idleTimeout: nil, isStreamed: true).still == .max)
        #expect(Limits(options, idleTimeout: nil, isStreamed: true).pace == nil)
    }

    @Test mutating func `A redirect starts all but the total again`() {
        timers.limits.total = 100
        timers.connectingSince = 1000
        timers.awaitsSource = true
        timers.startRequest(now: 1050)
        #expect(timers.connectingSince == nil)
        #expect(timers.verdict(now: 1060, connected: 5, hasHead: false) == .wait(until: 1100))
        #expect(timers.verdict(now: 1100, connected: 5, hasHead: false) == .timedOut(.waiting))
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
