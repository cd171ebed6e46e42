import Measuring
import Testing

@Suite("Samples", .timeLimit(.minutes(30)))
struct SamplesTests {
    @Test("the median is the value in the middle, whatever the order")
    func median() {
        #expect(Samples([9, 1, 5]).median == 5)
        #expect(Samples([4, 1, 3, 2]).median == 2.5)
        #expect(Samples([7]).median == 7)
        #expect(Samples([]).median == 0)
    }

    @Test("the spread is half the distance of the quartiles, and outliers do not change it")
    func spread() {
        #expect(Samples([1, 2, 3, 4, 5]).spread == 1)
        #expect(Samples([1, 2, 3, 4, 500]).spread == 1)
        #expect(Samples([3]).spread == 0)
    }

    @Test("the lower quartile is not affected by what slowed some samples down")
    func lowerQuartile() {
        #expect(Samples([5, 1, 3, 2, 4]).lowerQuartile == 2)
        #expect(Samples([50, 1, 3, 2, 40]).lowerQuartile == 2)
    }

    @Test("one sample in a hundred lies above the 99th percentile")
    func percentile99() {
        #expect(Samples((0...100).map(Double.init)).percentile99 == 99)
        #expect(Samples([4]).percentile99 == 4)
    }
}
