import CacheTorture
import SiestaCore
import TestKit
import Testing

@testable import SiestaRetrying

/// The distance between the automatic attempts of a resource.
@MainActor @Suite(.timeLimit(.test))
struct AttemptTimesTests {
    @Test func `Attempts of one resource are 0.1 seconds apart, in whatever order they are planned`() {
        let times = AttemptTimes()
        var reserved: [Double] = []
        for time in [5, 5, 5.25, 60, 5, 5.05, 1, 0.95, 60.05, 5.5] {
            reserved.append(times.reserve(time, now: 0))
        }
        let sorted = reserved.sorted()
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 > 0.0999 })
        #expect(zip(reserved, [5, 5, 5.25, 60, 5, 5.05, 1, 0.95, 60.05, 5.5]).allSatisfy { $0 >= $1 })
        #expect(AttemptTimes().reserve(5, now: 0) == 5)
        #expect(times.reserve(100, now: 99) == 100)
    }

    @Test func `An attempt takes the first time that is far enough from all others`() {
        for seed in TestSeed.cases(TestLevel.count(50, nightly: 200)) {
            var generator = SeededGenerator(seed: seed)
            let times = AttemptTimes()
            var planned: [Double] = []
            for _ in 0..<60 {
                let time = Double.random(in: 0..<4, using: &generator)
                let free = ([time] + planned.map { $0 + 0.1 }).filter { candidate in
                    candidate >= time && planned.allSatisfy { abs($0 - candidate) > 0.1 - 1e-9 }
                }
                let reserved = times.reserve(time, now: 0)
                #expect(abs(reserved - (free.min() ?? -1)) < 1e-9, "seed \(seed)")
                planned.append(reserved)
            }
        }
    }

    @Test func `Thousands of attempts of one resource may be planned for the same time`() {
        let growth = Growth(of: 2000) {
            $0
        } _: { count in
            let times = AttemptTimes()
            for index in 0..<count {
                _ = times.reserve(5 + Double(index % 7) / 100, now: 0)
            }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Times that have passed are forgotten`() {
        let times = AttemptTimes()
        for _ in 0..<10 { _ = times.reserve(5, now: 0) }
        #expect(times.reserve(7, now: 6.5) == 7)
        #expect(times.reserve(5, now: 6.6) == 5)
    }
}
