import Measuring
import Testing

@Suite("Targets", .timeLimit(.minutes(30)))
struct TargetTests {
    private func rows(_ values: [String: Double], allocations: Double = 0, ratio: Double? = nil) -> [String: RowResult]
    {
        Dictionary(
            uniqueKeysWithValues: values.map { name, value in
                var row = RowResult(name: name, unit: .nanoseconds, samples: Samples([value]), allocations: allocations)
                row.ratio = ratio
                return (name, row)
            })
    }

    @Test("a ratio of samples taken in turn counts, not that of the medians")
    func ratio() {
        let condition = Target.Condition.ratio("a", atMost: 2.5, "b")
        #expect(condition.requirement == "2.5 × b")
        #expect(condition.verdict(rows(["a": 900], ratio: 2.4))?.text == "met, 2.40 ×")
        #expect(condition.verdict(rows(["a": 1], ratio: 2.6))?.text == "MISSED, 2.60 ×")
    }

    @Test("a value counts beyond that of another row")
    func value() {
        let condition = Target.Condition.value("a", beyond: "b", atMost: 100, "0.1 µs")
        let verdict = Target.Verdict(measured: "150.0 ns", reference: "60.0 ns", comparison: "90.0 ns", isMet: true)
        #expect(condition.verdict(rows(["a": 150, "b": 60])) == verdict)
        #expect(condition.verdict(rows(["a": 150, "b": 40]))?.isMet == false)
    }

    @Test("allocations of a table that grows now and then are tolerated")
    func allocations() {
        let condition = Target.Condition.allocations("a", atMost: 2, "2 allocations")
        #expect(condition.verdict(rows(["a": 1], allocations: 2.02))?.isMet == true)
        #expect(condition.verdict(rows(["a": 1], allocations: 3))?.isMet == false)
    }

    @Test("rows that were not measured give no verdict")
    func missing() {
        #expect(Target.Condition.ratio("a", to: "b", atMost: 1, "b").verdict(rows(["a": 1])) == nil)
        #expect(Target.Condition.measured("a", "one hop").verdict([:]) == nil)
    }
}
