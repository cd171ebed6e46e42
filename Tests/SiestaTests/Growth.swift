import Foundation
import Testing

#if os(Linux)
import CoreFoundation  // Where the compiler finds the members of `timespec`.
#endif

/// How much longer work takes when there is more of it, by the processor time of this thread: what else the machine
/// does, does not count.
struct Growth {
    /// Times in nanoseconds for some amount of work, and for four times as much; the shortest of several.
    let once: UInt64
    let fourTimes: UInt64

    /// Whether the time is not quadratic in the amount, which would be a ratio of 16. Linear work has 4; sorting, caches
    /// and the allocator make more of it.
    var isBounded: Bool { fourTimes < once * 11 + 2_000_000 }

    /// Measures `work`, which gets what `make` makes of an amount.
    init<Input>(of amount: Int, _ make: (Int) throws -> Input, _ work: (Input) throws -> Void) rethrows {
        let (one, four) = (try make(amount), try make(amount * 4))
        once = try Self.shortest { try work(one) }
        fourTimes = try Self.shortest { try work(four) }
    }

    private static func shortest(_ work: () throws -> Void) rethrows -> UInt64 {
        var shortest = UInt64.max
        for _ in 0..<3 {
            let start = now
            try work()
            shortest = min(shortest, now - start)
        }
        return shortest
    }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
