import Measuring
import Testing

@Suite("Thresholds", .timeLimit(.minutes(30)))
struct ThresholdsTests {
    private let thresholds = Thresholds(rows: ["a": Thresholds.Costs(instructions: 1000, allocations: 2)])

    private func compare(_ instructions: Double, _ allocations: Double) -> Thresholds.Comparison {
        thresholds.compare(["a": Thresholds.Costs(instructions: instructions, allocations: allocations)])
    }

    @Test("costs within the tolerance are fine", arguments: [(1000.0, 2.0), (1080, 2.5), (850, 1.5)])
    func tolerance(instructions: Double, allocations: Double) {
        #expect(compare(instructions, allocations) == Thresholds.Comparison())
    }

    @Test("more than the tolerance fails, and says what it was and what it may be")
    func tooMuch() {
        #expect(compare(1081, 2).failures == ["a: 1 081 instructions, the threshold is 1 000"])
        #expect(compare(1000, 2.51).failures == ["a: 2.51 allocations, the threshold is 2"])
    }

    @Test("of many allocations, three percent more are fine, and no more")
    func manyAllocations() {
        let thresholds = Thresholds(rows: ["a": Thresholds.Costs(instructions: 1000, allocations: 200)])
        for (allocations, count) in [(205.9, 0), (206.1, 1)] {
            let counts = ["a": Thresholds.Costs(instructions: 1000, allocations: allocations)]
            #expect(thresholds.compare(counts).failures.count == count)
        }
    }

    @Test("a reference that costs more than it did permits as much more, and one that costs less permits nothing less")
    func references() {
        let old = Thresholds.Costs(instructions: 1000, allocations: 2, reference: 600)
        for (reference, instructions, count) in [(700.0, 1183.0, 0), (700, 1184, 1), (500, 1080, 0), (500, 1081, 1)] {
            let new = Thresholds.Costs(instructions: instructions, allocations: 2, reference: reference)
            #expect(Thresholds(rows: ["a": old]).compare(["a": new]).failures.count == count)
        }
    }

    @Test("much less is worth a hint and no failure", arguments: [(500.0, 2.0), (1000, 1)])
    func muchLess(instructions: Double, allocations: Double) {
        let comparison = compare(instructions, allocations)
        #expect(comparison.failures.isEmpty)
        #expect(comparison.improvements == ["a"])
    }

    @Test("a row without a threshold fails")
    func unknownRow() {
        let counts = ["b": Thresholds.Costs(instructions: 1, allocations: 0)]
        #expect(thresholds.compare(counts).failures == ["b: there is no threshold yet"])
    }

    @Test("an update replaces the thresholds of the rows that were counted, and of no others")
    func update() {
        var updated = thresholds
        let counts = ["b": Thresholds.Costs(instructions: 1, allocations: 0)]
        updated.update(counts)
        #expect(updated.compare(counts) == Thresholds.Comparison())
        #expect(updated.rows["a"] == thresholds.rows["a"])
    }
}
