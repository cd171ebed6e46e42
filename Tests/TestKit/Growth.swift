import Foundation
import Testing

#if os(Linux)
import CoreFoundation  // Declares the members of `timespec`.
#endif

/// The growth of the time of some work with its amount. It measures the processor time of this thread, which other load
/// of the machine does not change.
package struct Growth {
    /// The times in nanoseconds for an amount of work, and for four times that amount. The first is the shortest of three,
    /// and so is the second in nightly and soak runs. If the time is not bounded, it is measured up to four times, because other
    /// processes use the same caches.
    package private(set) var once: UInt64 = 0
    package private(set) var fourTimes: UInt64 = .max

    /// True if the time is not quadratic in the amount. Quadratic work has a ratio of 16, linear work of 4; sorting,
    /// caches and the allocator increase it.
    package var isBounded: Bool { fourTimes < once * 11 + 2_000_000 }

    /// Measures `work` with the inputs that `make` creates for the two amounts.
    package init<Input>(of amount: Int, _ make: (Int) throws -> Input, _ work: (Input) throws -> Void) rethrows {
        let (one, four) = (try make(amount), try make(amount * 4))
        for _ in 0..<4 where !isBounded {
            once = try Self.shortest(of: 3) { try work(one) }
            fourTimes = try Self.shortest(of: TestLevel.count(1, nightly: 3)) { try work(four) }
        }
    }

    private static func shortest(of count: Int, _ work: () throws -> Void) rethrows -> UInt64 {
        var shortest = UInt64.max
        for _ in 0..<count {
            let start = processorTime
            try work()
            shortest = min(shortest, processorTime - start)
        }
        return shortest
    }

    /// The processor time of this thread, in nanoseconds.
    package static var processorTime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
