import Testing

@testable import Siesta

/// The distance between the automatic attempts of a resource.
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
}
