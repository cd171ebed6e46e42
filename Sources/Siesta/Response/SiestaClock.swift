import Dispatch
public import Foundation

#if os(Linux)
import CoreFoundation  // Where the compiler finds the members of `timespec`.
#endif

/// Where Siesta gets the time from, and who calls it back later.
///
/// A service keeps the clock that is ``current`` when it is made; entities and errors made by hand take their timestamp
/// from the current one. In an app that is always ``system``. A test makes another current for a scope:
///
///     SiestaClock.$current.withValue(clock) { … }
///
/// and everything that the scope's services call back runs with it, too.
public final class SiestaClock: Sendable {
    /// The clock in force; ``system`` unless a scope says otherwise.
    @TaskLocal public static var current = SiestaClock.system

    /// The machine's clocks, and timers of the main queue.
    public static let system = SiestaClock(
        wallTime: { Date().timeIntervalSinceReferenceDate },
        monotonicTime: { systemMonotonicTime() },
        schedule: { delay, action in
            DispatchQueue.main.asyncAfter(deadline: .now() + delay) { MainActor.assumeIsolated { action() } }
        },
        isSystem: true)

    private let readWallTime: @Sendable () -> TimeInterval
    private let readMonotonicTime: @Sendable () -> TimeInterval
    private let scheduleAction: @Sendable (TimeInterval, @escaping @MainActor () -> Void) -> Void
    /// Whether this is ``system``, which most often can do without its closures.
    private let isSystem: Bool

    /// Creates a clock from its three abilities.
    ///
    /// - Parameters:
    ///   - wallTime: seconds since the reference date (1 January 2001), as timestamps show them; may jump either way.
    ///   - monotonicTime: seconds since any fixed moment, never going back, sleep of the machine included.
    ///   - schedule: runs an action once, on the main actor, after a delay in seconds, never before returning.
    public convenience init(
        wallTime: @escaping @Sendable () -> TimeInterval,
        monotonicTime: @escaping @Sendable () -> TimeInterval,
        schedule: @escaping @Sendable (TimeInterval, @escaping @MainActor () -> Void) -> Void
    ) {
        self.init(wallTime: wallTime, monotonicTime: monotonicTime, schedule: schedule, isSystem: false)
    }

    private init(
        wallTime: @escaping @Sendable () -> TimeInterval, monotonicTime: @escaping @Sendable () -> TimeInterval,
        schedule: @escaping @Sendable (TimeInterval, @escaping @MainActor () -> Void) -> Void, isSystem: Bool
    ) {
        self.isSystem = isSystem
        readWallTime = wallTime
        readMonotonicTime = monotonicTime
        scheduleAction = schedule
    }

    /// Seconds since the reference date (1 January 2001, UTC).
    public var wallTime: TimeInterval { readWallTime() }

    /// Seconds since a fixed but unspecified moment; never goes back when the wall clock is set.
    public var monotonicTime: TimeInterval { isSystem ? systemMonotonicTime() : readMonotonicTime() }

    /// Runs `action` once on the main actor, `delay` seconds from now.
    public func schedule(after delay: TimeInterval, _ action: @escaping @MainActor () -> Void) {
        scheduleAction(max(0, delay), action)
    }

    /// Runs `body` with this clock as the current one.
    @inline(__always)
    func whileCurrent<Result>(_ body: () -> Result) -> Result {
        isSystem ? body() : SiestaClock.$current.withValue(self, operation: body)
    }
}

/// Seconds since the machine started, its sleep included.
private func systemMonotonicTime() -> TimeInterval {
    #if os(Linux)
    let clock = CLOCK_BOOTTIME
    #else
    let clock = CLOCK_MONOTONIC  // On Apple platforms this one counts sleep.
    #endif
    var time = timespec()
    clock_gettime(clock, &time)
    return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) * 1e-9
}
