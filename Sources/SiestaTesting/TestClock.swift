public import Foundation
import Isolation
public import Siesta

/// A clock whose time changes only when a test changes it.
///
///     let clock = TestClock()
///     let service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
///     let user = service.resource("/users/42")
///     await user.load().completion()
///     #expect(user.isUpToDate)
///     clock.advance(by: 31)
///     #expect(!user.isUpToDate)  // By default, data is fresh for 30 seconds.
///
/// A service that is created in ``whileCurrent(_:)`` keeps the clock. A service that is created elsewhere uses the
/// system's clock and ignores this clock. If a test changes the time before any code has used the clock, the clock logs
/// a warning.
public final class TestClock: Sendable {
    fileprivate struct Scheduled: Sendable {
        let time: TimeInterval
        let action: @MainActor @Sendable () -> Void
    }

    fileprivate struct State: Sendable {
        var wallTime: TimeInterval
        var monotonicTime: TimeInterval = 1000
        var scheduled: [Scheduled] = []
        /// True if the clock was current in a scope, or if ``TestClock/clock`` was read.
        var isInUse = false
        var hasWarned = false
    }

    private let state: Locked<State>

    private let ownClock: SiestaClock

    /// The clock as a value for functions that take a `SiestaClock`.
    public var clock: SiestaClock {
        state.withLock { $0.isInUse = true }
        return ownClock
    }

    /// Creates a clock that shows `wallTime`, in seconds since the reference date (1 January 2001). The time must be
    /// finite.
    public init(wallTime: TimeInterval = 800_000_000) {
        Self.require(wallTime.isFinite, "TestClock(wallTime:) needs a finite number of seconds, but got \(wallTime)")
        let state = Locked(State(wallTime: wallTime))
        self.state = state
        ownClock = SiestaClock(
            wallTime: { state.withLock { $0.wallTime } },
            monotonicTime: { state.withLock { $0.monotonicTime } },
            schedule: { delay, action in
                state.withLock { $0.scheduled.append(Scheduled(time: $0.monotonicTime + delay, action: action)) }
            })
    }

    /// The current wall time, in seconds since the reference date (1 January 2001).
    public var wallTime: TimeInterval { state.withLock { $0.wallTime } }

    /// Advances both the wall clock and the monotonic clock by `seconds`. Runs the actions that become due, in order,
    /// at their times.
    ///
    /// `seconds` must be finite and not negative; otherwise the process ends. To set the wall clock back, use
    /// ``setWallTime(_:)``.
    @MainActor
    public func advance(by seconds: TimeInterval) {
        Self.require(
            seconds.isFinite && seconds >= 0,
            "TestClock.advance(by:) needs a finite number of seconds that is not negative, but got \(seconds)."
                + " Use setWallTime(_:) to set the wall clock back.")
        warnIfUnused()
        let end = state.withLock { $0.monotonicTime } + seconds
        Self.require(end.isFinite, "TestClock.advance(by:) would move the clock beyond its last possible time")
        while let next = state.withLock({ $0.takeNext(until: end) }) { ownClock.run(next.action) }
        state.withLock { $0.move(to: end) }
    }

    /// Sets the wall clock, in the same way as a user or a time server. The monotonic time does not change. The time
    /// must be finite.
    public func setWallTime(_ time: TimeInterval) {
        Self.require(time.isFinite, "TestClock.setWallTime(_:) needs a finite number of seconds, but got \(time)")
        state.withLock { $0.wallTime = time }
    }

    /// Runs `body` with this clock as the current clock.
    public func whileCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
        try SiestaClock.$current.withValue(clock, operation: body)
    }

    /// Ends the process with a message that is shown even in optimized builds.
    private static func require(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { fatalError(message()) }
    }

    /// Logs a warning if no code has read this clock. In most cases, the service was created without the clock.
    private func warnIfUnused() {
        let isNew = state.withLock { state in
            defer { state.hasWarned = true }
            return !state.isInUse && !state.hasWarned
        }
        if isNew { SiestaLog.warn(Self.unusedWarning) }
    }

    static let unusedWarning = """
        Warning: nothing uses this TestClock, so that moving it has no effect. A service that was made outside \
        clock.whileCurrent { … } uses the system's clock: make the service inside of it.
        """
}

extension SiestaLog {
    /// Passes a message to the handler even if its category is disabled.
    static func warn(_ message: String) {
        messageHandler(.staleness, message)
    }
}

extension TestClock.State {
    fileprivate mutating func move(to time: TimeInterval) {
        wallTime += time - monotonicTime
        monotonicTime = time
    }

    /// Advances to the next action that is due before or at `end`, and removes and returns it.
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
