public import Foundation
public import Siesta

/// A clock that moves when it is told to.
///
///     let clock = TestClock()
///     let service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
///     …
///     clock.advance(by: 31)   // Data is stale now.
///
/// Services that are made while it is current keep it.
public final class TestClock: Sendable {
    fileprivate struct Scheduled: Sendable {
        let time: TimeInterval
        let action: @MainActor @Sendable () -> Void
    }

    fileprivate struct State: Sendable {
        var wallTime: TimeInterval
        var monotonicTime: TimeInterval = 1000
        var scheduled: [Scheduled] = []
    }

    private let state: Locked<State>

    /// The clock to hand to what takes one.
    public let clock: SiestaClock

    /// Creates a clock that shows `wallTime`, in seconds since the reference date (1 January 2001).
    public init(wallTime: TimeInterval = 800_000_000) {
        let state = Locked(State(wallTime: wallTime))
        self.state = state
        clock = SiestaClock(
            wallTime: { state.withLock { $0.wallTime } },
            monotonicTime: { state.withLock { $0.monotonicTime } },
            schedule: { delay, action in
                state.withLock { $0.scheduled.append(Scheduled(time: $0.monotonicTime + delay, action: action)) }
            })
    }

    /// The present wall time, in seconds since the reference date.
    public var wallTime: TimeInterval { clock.wallTime }

    /// Lets `seconds` pass, on both clocks, and does what is due on the way, in order.
    @MainActor
    public func advance(by seconds: TimeInterval) {
        let end = clock.monotonicTime + seconds
        while let next = state.withLock({ $0.takeNext(until: end) }) { clock.run(next.action) }
        state.withLock { $0.move(to: end) }
    }

    /// Sets the wall clock, as a user or a time server does; monotonic time does not notice.
    public func setWallTime(_ time: TimeInterval) {
        state.withLock { $0.wallTime = time }
    }

    /// Runs `body` with this clock as the current one.
    public func whileCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
        try SiestaClock.$current.withValue(clock, operation: body)
    }
}

extension TestClock.State {
    fileprivate mutating func move(to time: TimeInterval) {
        wallTime += time - monotonicTime
        monotonicTime = time
    }

    /// Moves on to the next thing that is due until `end`, and takes it out.
    fileprivate mutating func takeNext(until end: TimeInterval) -> TestClock.Scheduled? {
        let due = scheduled.indices.min { (scheduled[$0].time, $0) < (scheduled[$1].time, $1) }
        guard let due, scheduled[due].time <= end else { return nil }
        let next = scheduled.remove(at: due)
        move(to: max(monotonicTime, next.time))
        return next
    }
}

extension SiestaClock {
    @MainActor
    fileprivate func run(_ action: @MainActor () -> Void) {
        SiestaClock.$current.withValue(self) { action() }
    }
}
