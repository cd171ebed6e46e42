import Dispatch
public import Foundation
import Isolation
public import Synchronization

#if os(Linux) || os(Android)
// One of these modules declares the members of C structures for the compiler, depending on what it has read before.
import CDispatch
import CoreFoundation
#endif

/// The source of time and of timers for Siesta.
///
/// A service keeps the clock that is ``current`` when the service is created. Entities and errors that the app creates
/// take their timestamp from the current clock. In an app, the current clock is always ``system``. A test can set
/// another current clock for a scope:
///
///     let service = SiestaClock.$current.withValue(clock) { Service(baseURL: "https://api.example.com") }
///
/// The same clock is also current in all callbacks of the services that were created in that scope.
public final class SiestaClock: Sendable {
    package typealias Schedule = @Sendable (TimeInterval, @escaping @MainActor () -> Void) -> Void

    /// The current clock, by default ``system``. A test can set another clock for a scope.
    @TaskLocal public static var current = SiestaClock.system

    /// The clock of the machine. Its timers run on the main queue.
    public static let system = SiestaClock(
        wallTime: { Date().timeIntervalSinceReferenceDate },
        monotonicTime: { systemMonotonicTime() },
        schedule: scheduleOnMainQueue, scheduleReport: scheduleOnMainQueue, isSystem: true)

    private static let scheduleOnMainQueue: Schedule = { delay, action in
        DispatchQueue.main.asyncAfter(deadline: .now() + delay) { MainActor.assumeIsolated { action() } }
    }

    /// The same clock as ``current``. While ``system`` is the only clock, which is so in apps, it is found without the
    /// cost of reading a task-local value.
    @inlinable package static var active: SiestaClock { hasOthers.load(ordering: .relaxed) ? current : system }

    /// True after a clock other than ``system`` was created.
    @usableFromInline static let hasOthers = Atomic(false)

    private let readWallTime: @Sendable () -> TimeInterval
    @usableFromInline let readMonotonicTime: @Sendable () -> TimeInterval
    private let scheduleAction: Schedule
    private let scheduleReportAction: Schedule
    private let readFraction: @Sendable () -> Double
    /// True for ``system``. Its monotonic time is read without a call to its closure.
    @usableFromInline let isSystem: Bool
    private let waitsForWork = Atomic(false)

    /// Creates a clock from three closures.
    ///
    /// - Parameters:
    ///   - wallTime: A closure that returns the wall time for timestamps, in seconds since the reference date (1
    ///     January 2001). This time may jump forwards or backwards.
    ///   - monotonicTime: A closure that returns the number of seconds since a fixed time. This number never decreases,
    ///     and keeps increasing while the machine is asleep.
    ///   - schedule: A closure that runs an action once, on the main actor, after a delay in seconds. The closure must
    ///     not run the action before it returns.
    public convenience init(
        wallTime: @escaping @Sendable () -> TimeInterval,
        monotonicTime: @escaping @Sendable () -> TimeInterval,
        schedule: @escaping @Sendable (TimeInterval, @escaping @MainActor () -> Void) -> Void
    ) {
        self.init(wallTime: wallTime, monotonicTime: monotonicTime, schedule: schedule, scheduleReport: schedule)
    }

    /// Creates a clock that is told which of its timers only report the progress of requests, or look for owners that were
    /// released. Tests wait for the other timers.
    package init(
        wallTime: @escaping @Sendable () -> TimeInterval, monotonicTime: @escaping @Sendable () -> TimeInterval,
        schedule: @escaping Schedule, scheduleReport: @escaping Schedule,
        fraction: @escaping @Sendable () -> Double = { .random(in: 0..<1) }, isSystem: Bool = false
    ) {
        self.isSystem = isSystem
        if !isSystem { Self.hasOthers.store(true, ordering: .relaxed) }
        readWallTime = wallTime
        readMonotonicTime = monotonicTime
        scheduleAction = schedule
        scheduleReportAction = scheduleReport
        readFraction = fraction
    }

    /// The wall time, in seconds since the reference date (1 January 2001, UTC).
    public var wallTime: TimeInterval { readWallTime() }

    /// The monotonic time, in seconds since a fixed but unspecified time. Setting the wall clock does not affect this
    /// time.
    @inlinable public var monotonicTime: TimeInterval { isSystem ? systemMonotonicTime() : readMonotonicTime() }

    /// Runs `action` once on the main actor, `delay` seconds from now. A negative delay counts as 0.
    public func schedule(after delay: TimeInterval, _ action: @escaping @MainActor () -> Void) {
        scheduleAction(max(0, delay), action)
    }

    /// A random number from 0 to 1, by which timers of many clients are spread over time (jitter).
    package var fraction: Double { readFraction() }

    /// Returns the monotonic time after a delay. It is later than the current time even if the time is so large that adding
    /// the delay has no effect.
    package func time(after delay: TimeInterval) -> TimeInterval {
        let now = monotonicTime
        return max(now + delay, now.nextUp)
    }

    /// Runs `action` as ``schedule(after:_:)`` does. The action only reports the progress of requests, or looks for owners
    /// that were released.
    package func scheduleReport(after delay: TimeInterval, _ action: @escaping @MainActor () -> Void) {
        scheduleReportAction(max(0, delay), action)
    }

    /// From now on, the main thread waits for work that it starts on other threads, for a second at most. Then the order of
    /// events does not depend on the speed of threads. For tests; the system's clock ignores it.
    package func waitForWork() { waitsForWork.store(!isSystem, ordering: .relaxed) }

    /// Runs `work` on another thread.
    ///
    /// - Parameter isShort: true if the work takes no more time than the way to another thread and back.
    package func inBackground(isShort: Bool = false, _ work: @escaping @Sendable () -> Void) {
        guard !isSystem, waitsForWork.load(ordering: .relaxed), MainQueue.isCurrent else {
            #if os(Linux) || os(Android)
            if isShort, ShortWork.shared.run(work) { return }
            #endif
            return DispatchQueue.global(qos: .userInitiated).async(execute: work)
        }
        let end = DispatchSemaphore(value: 0)
        DispatchQueue.global(qos: .userInitiated).async {
            work()
            end.signal()
        }
        _ = end.wait(timeout: .now() + .seconds(1))
    }

    /// True if this clock is the current clock.
    @inlinable @inline(__always)
    package var isCurrent: Bool { !Self.hasOthers.load(ordering: .relaxed) || SiestaClock.current === self }

    /// Runs `body` with this clock as the current clock. Code that continues on another queue does this there, with the
    /// clock that was current before.
    @inlinable @inline(__always)
    package func whileCurrent<Result>(_ body: () -> Result) -> Result {
        isCurrent ? body() : SiestaClock.$current.withValue(self, operation: body)
    }
}

/// Returns the seconds since the machine started, including the time for which it slept.
@usableFromInline
func systemMonotonicTime() -> TimeInterval {
    #if os(Linux) || os(Android)
    let clock = CLOCK_BOOTTIME
    #else
    let clock = CLOCK_MONOTONIC  // On Apple platforms, this clock includes sleep.
    #endif
    var time = timespec()
    clock_gettime(clock, &time)
    return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) * 1e-9
}
