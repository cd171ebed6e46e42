#if os(Linux)
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(5)))
struct TransferTimersTests {
    private var timers = TransferTimers(limits: .init(connect: 30, idle: 60, total: nil), now: 1000)

    @Test("Waiting for a free connection is limited by the total alone")
    mutating func queued() {
        #expect(timers.verdict(now: 5000, connected: nil, hasHead: false) == .wait(until: 5030))
        timers.limits.total = 4000
        #expect(timers.verdict(now: 4999, connected: nil, hasHead: false) == .wait(until: 5000))
        #expect(timers.verdict(now: 5000, connected: nil, hasHead: false) == .timedOut(.connecting))
    }

    @Test("Connecting is limited from where it begins")
    mutating func connecting() {
        timers.connectingSince = 2000
        #expect(timers.verdict(now: 2029, connected: nil, hasHead: false) == .wait(until: 2030))
        #expect(timers.verdict(now: 2030, connected: nil, hasHead: false) == .timedOut(.connecting))
    }

    @Test("Silence counts from the connection, or from what moved last, whichever is later")
    mutating func idle() {
        #expect(timers.verdict(now: 1000, connected: 500, hasHead: false) == .wait(until: 1560))
        #expect(timers.verdict(now: 1560, connected: 500, hasHead: false) == .timedOut(.waiting))
        timers.lastMove = 1700
        #expect(timers.verdict(now: 1759, connected: 500, hasHead: true) == .wait(until: 1760))
        #expect(timers.verdict(now: 1760, connected: 500, hasHead: true) == .timedOut(.reading))
    }

    @Test("A transfer that waits for its source or its consumer is limited by the total alone")
    mutating func held() {
        timers.awaitsConsumer = true
        #expect(timers.verdict(now: 99_999, connected: 1, hasHead: true) == .wait(until: .max))
        timers.awaitsConsumer = false
        timers.awaitsSource = true
        timers.limits.total = 10
        #expect(timers.verdict(now: 1010, connected: 1, hasHead: true) == .timedOut(.reading))
    }

    @Test("A redirect starts all but the total again")
    mutating func redirect() {
        timers.limits.total = 100
        timers.connectingSince = 1000
        timers.awaitsSource = true
        timers.startRequest(now: 1050)
        #expect(timers.connectingSince == nil)
        #expect(timers.verdict(now: 1060, connected: 5, hasHead: false) == .wait(until: 1100))
        #expect(timers.verdict(now: 1100, connected: 5, hasHead: false) == .timedOut(.waiting))
    }

    @Test("Nothing can time out before the earliest time")
    mutating func earliest() {
        #expect(timers.earliest == 1030)
        timers.limits.total = 20
        #expect(timers.earliest == 1020)
    }

    @Test(
        "Seconds become nanoseconds of sense",
        arguments: [
            (1.5, 1_500_000_000), (0, 1_000_000), (-1, 1_000_000), (.infinity, 1_000_000_000_000_000_000),
            (.nan, 1_000_000_000_000_000_000), (1e30, 1_000_000_000_000_000_000),
        ] as [(Double, UInt64)])
    func seconds(seconds: Double, nanoseconds: UInt64) {
        #expect(UInt64.nanoseconds(seconds) == nanoseconds)
    }
}
#endif
