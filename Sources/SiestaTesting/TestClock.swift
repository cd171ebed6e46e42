public import Foundation
import Isolation
public import SiestaCore

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
/// Advancing the clock does not wait for timers that the code under test schedules later, for example after a response.
/// Wait for such a timer before you advance the clock: `try await clock.waitForTimers(1)`.
///
/// A service that is created in ``whileCurrent(_:)`` keeps the clock. A service that is created elsewhere uses the
/// system's clock and ignores this clock. If a test advances the clock before any code has used it, the clock logs a
/// warning.
public final class TestClock: Sendable {
    fileprivate struct Scheduled: Sendable {
        let time: TimeInterval
        /// True for a timer that reports the progress of requests, or looks for owners that were released.
        let isReport: Bool
        let action: @MainActor @Sendable () -> Void
    }

    fileprivate struct State: Sendable {
        var monotonicTime: TimeInterval = 1000
        /// The wall time minus the monotonic time. Stored in place of the wall time, so that many small steps do not
        /// add up their rounding errors.
        private var offset: TimeInterval
        var scheduled: [Scheduled] = []
        /// True if the clock was current in a scope, or if ``TestClock/clock`` was read.
        var isInUse = false
        var hasWarned = false
        var jitter = 0.5

        var wallTime: TimeInterval {
            get { offset + monotonicTime }
            set { offset = newValue - monotonicTime }
        }

        init(wallTime: TimeInterval) {
            offset = wallTime - monotonicTime
        }
    }

    private let state: Locked<State>
    private let timerCount: AwaitedCount

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
        let (state, timerCount) = (Locked(State(wallTime: wallTime)), AwaitedCount())
        (self.state, self.timerCount) = (state, timerCount)
        ownClock = SiestaClock(
            wallTime: { state.withLock { $0.wallTime } },
            monotonicTime: { state.withLock { $0.monotonicTime } },
            schedule: { delay, action in
                state.withLock { $0.schedule(action, after: delay, isReport: false) }
                timerCount.add(1)
            },
            scheduleReport: { delay, action in
                state.withLock { $0.schedule(action, after: delay, isReport: true) }
            },
            fraction: { state.withLock { $0.jitter } })
    }

    /// The current wall time, in seconds since the reference date (1 January 2001).
    public var wallTime: TimeInterval { state.withLock { $0.wallTime } }

    /// Advances both the wall clock and the monotonic clock by `duration`, in the same way as the function that takes a
    /// number of seconds.
    @MainActor
    public func advance(by duration: Duration) {
        advance(by: duration.seconds)
    }

    /// Advances both the wall clock and the monotonic clock by `seconds`. Runs the actions that become due, in order.
    /// While an action runs, the clock shows the time for which the action was scheduled.
    ///
    /// `seconds` must be finite and not negative; otherwise, a runtime error stops the process. To set the wall clock
    /// back, use ``setWallTime(_:)``.
    @MainActor
    public func advance(by seconds: TimeInterval) {
        Self.requireAdvance(by: seconds)
        warnIfUnused()
        let end = state.withLock { $0.monotonicTime } + seconds
        Self.require(end.isFinite, "TestClock.advance(by:) would move the clock beyond its last possible time")
        while let next = state.withLock({ $0.takeNext(until: end) }) {
            if !next.isReport { timerCount.add(-1) }
            ownClock.run(next.action)
        }
        state.withLock { $0.move(to: end) }
    }

    /// Advances the clock to the next timer, and runs this timer and the reports before it. If several timers are due
    /// at that time, runs only the first of them. Does nothing if no timer is scheduled.
    @MainActor
    func advanceToNextTimer() {
        guard let delay = timers.first else { return }
        let end = state.withLock { $0.monotonicTime } + delay
        while let next = state.withLock({ $0.takeNext(until: end) }) {
            if !next.isReport { timerCount.add(-1) }
            ownClock.run(next.action)
            if !next.isReport { return }
        }
        state.withLock { $0.move(to: end) }
    }

    /// The delays after which the scheduled timers are due, in seconds from now, the next timer first.
    ///
    /// Timers are the actions that the library or the app has scheduled with `SiestaClock.schedule(after:_:)` and that
    /// have not run yet. The library's timers for the progress of requests and for released owners are not included.
    public var timers: [TimeInterval] { state.withLock { $0.timers } }

    /// Waits until at least `count` timers are scheduled; see ``timers``. If this is already the case, returns at once.
    ///
    /// A test calls this method before `advance(by:)` if the code under test schedules its timer in a task or after a
    /// response. Any thread may call this method, and several tasks may wait at the same time.
    ///
    /// - Parameters:
    ///   - count: The number of timers to wait for.
    ///   - timeLimit: The real time after which the wait fails. The default is 30 seconds.
    /// - Throws: An error that contains the scheduled timers, if `timeLimit` has passed. `CancellationError`, if the
    ///   waiting task is cancelled, for example by the time limit of the test framework.
    public func waitForTimers(_ count: Int, timeLimit: Duration = .seconds(30)) async throws {
        try await timerCount.wait(for: count, timeLimit: timeLimit) {
            state.withLock { $0.missing(count) }
        }
    }

    /// Sets ``wallTime`` to `time`, to simulate a change by a user or a time server. The monotonic time does not
    /// change. The time must be finite.
    public func setWallTime(_ time: TimeInterval) {
        Self.require(time.isFinite, "TestClock.setWallTime(_:) needs a finite number of seconds, but got \(time)")
        state.withLock { $0.wallTime = time }
    }

    /// The number from 0 to 1 that replaces all random numbers in the delays of timers, for example in the delays of
    /// retries. With the default, 0.5, the random part of each delay has half of its maximum length. A number below 0
    /// counts as 0, and a number above 1 counts as 1.
    public var jitter: Double {
        get { state.withLock { $0.jitter } }
        set { state.withLock { $0.jitter = newValue >= 0 ? min(newValue, 1) : 0 } }
    }

    /// Runs `body` with this clock as the current clock, and returns its result.
    public func whileCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
        try SiestaClock.$current.withValue(clock, operation: body)
    }

    /// Ends the process if a clock cannot advance by a number of seconds.
    static func requireAdvance(by seconds: TimeInterval) {
        require(
            seconds.isFinite && seconds >= 0,
            "TestClock.advance(by:) needs a finite number of seconds that is not negative, but got \(seconds)."
                + " Use setWallTime(_:) to set the wall clock back.")
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
    fileprivate mutating func schedule(
        _ action: @escaping @MainActor () -> Void, after delay: TimeInterval, isReport: Bool
    ) {
        // If the time is so large that adding the delay has no effect, the clock must advance nevertheless.
        let time = delay > 0 ? max(monotonicTime + delay, monotonicTime.nextUp) : monotonicTime
        scheduled.append(TestClock.Scheduled(time: time, isReport: isReport, action: action))
    }

    fileprivate var timers: [TimeInterval] {
        scheduled.filter { !$0.isReport }.map { $0.time - monotonicTime }.sorted()
    }

    /// Returns the description of a wait for `count` timers that has failed.
    fileprivate func missing(_ count: Int) -> String {
        let delays = timers.prefix(20).map { "\($0) s" }.joined(separator: ", ")
        let hint = isInUse ? "" : " Nothing uses this TestClock: make the service inside of clock.whileCurrent { … }."
        let present = timers.isEmpty ? "none is scheduled." : "\(timers.count) scheduled, due in \(delays)."
        return "\(count) \(count == 1 ? "timer" : "timers") of a TestClock: \(present)\(hint)"
    }

    /// Advances to `time`, unless an action has already advanced the clock further.
    fileprivate mutating func move(to time: TimeInterval) {
        monotonicTime = max(monotonicTime, time)
    }

    /// Advances to the next action that is due before or at `end`, and removes and returns it.
    fileprivate mutating func takeNext(until end: TimeInterval) -> TestClock.Scheduled? {
        let due = scheduled.indices.min { (scheduled[$0].time, $0) < (scheduled[$1].time, $1) }
        guard let due, scheduled[due].time <= end else { return nil }
        let next = scheduled.remove(at: due)
        move(to: next.time)
        return next
    }
}

extension SiestaClock {
    @MainActor
    fileprivate func run(_ action: @MainActor () -> Void) {
        SiestaClock.$current.withValue(self) { action() }
    }
}
