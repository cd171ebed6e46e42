import CacheTorture
import TestKit
import Testing

@testable import Siesta

/// The distance between the automatic attempts of a resource.
@Suite(.timeLimit(.test))
struct AttemptTimesTests {
    private final class Thing {}

    @Test func `Attempts of one resource are 0.1 seconds apart, in whatever order they are planned`() {
        let (one, other) = (Thing(), Thing())
        var times = AttemptTimes()
        var reserved: [Double] = []
        for time in [5, 5, 5.25, 60, 5, 5.05, 1, 0.95, 60.05, 5.5] {
            reserved.append(times.reserve(ObjectIdentifier(one), at: time, now: 0))
        }
        let sorted = reserved.sorted()
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 > 0.0999 })
        #expect(zip(reserved, [5, 5, 5.25, 60, 5, 5.05, 1, 0.95, 60.05, 5.5]).allSatisfy { $0 >= $1 })
        #expect(times.reserve(ObjectIdentifier(other), at: 5, now: 0) == 5)
        #expect(times.reserve(ObjectIdentifier(one), at: 100, now: 99) == 100)
    }

    @Test func `An attempt takes the first time that is far enough from all others`() {
        for seed in TestSeed.cases(TestLevel.count(50, nightly: 200)) {
            var generator = SeededGenerator(seed: seed)
            let thing = Thing()
            var times = AttemptTimes()
            var planned: [Double] = []
            for _ in 0..<60 {
                let time = Double.random(in: 0..<4, using: &generator)
                let free = ([time] + planned.map { $0 + 0.1 }).filter { candidate in
                    candidate >= time && planned.allSatisfy { abs($0 - candidate) > 0.1 - 1e-9 }
                }
                let reserved = times.reserve(ObjectIdentifier(thing), at: time, now: 0)
                #expect(abs(reserved - (free.min() ?? -1)) < 1e-9, "seed \(seed)")
                planned.append(reserved)
            }
        }
    }

    @Test func `Thousands of attempts of one resource may be planned for the same time`() {
        let growth = Growth(of: 2000) {
            $0
        } _: { count in
            let thing = Thing()
            var times = AttemptTimes()
            for index in 0..<count {
                _ = times.reserve(ObjectIdentifier(thing), at: 5 + Double(index % 7) / 100, now: 0)
            }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Times that have passed are forgotten`() {
        let thing = Thing()
        var times = AttemptTimes()
        for _ in 0..<10 { _ = times.reserve(ObjectIdentifier(thing), at: 5, now: 0) }
        #expect(times.reserve(ObjectIdentifier(thing), at: 7, now: 6.5) == 7)
        #expect(times.reserve(ObjectIdentifier(thing), at: 5, now: 6.6) == 5)
    }
}
