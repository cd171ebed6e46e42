import TestKit
import Testing

@testable import SiestaUI

@Suite(.timeLimit(.test))
struct StatusTimingTests {
    /// Shows a sequence of times, each with true for a load, and returns what is visible after each.
    private func shown(_ steps: [(time: Double, isLoading: Bool)], delay: Double = 0.3, minimum: Double = 0.5)
        -> [String]
    {
        var timing = StatusTiming<String>(loadingDelay: delay, minimumLoadingTime: minimum)
        var visible = "before"
        return steps.map { step in
            visible =
                timing.update(
                    step.isLoading ? "load" : "end", isLoading: step.isLoading, shown: visible, at: step.time
                ).display
            return visible
        }
    }

    @Test(
        arguments: [
            ([(0, true), (0.29, true), (0.29, false)], ["before", "before", "end"]),
            (
                [(0, true), (0.3, true), (0.31, false), (0.79, false), (0.81, false)],
                ["before", "load", "load", "load", "end"]
            ),
            (
                [(0, true), (0.3, true), (5, false), (6, true), (6.2, true), (6.3, true)],
                ["before", "load", "end", "end", "end", "load"]
            ),
            (
                [(0, true), (0.3, true), (0.4, false), (0.5, true), (0.9, false)],
                ["before", "load", "load", "load", "end"]
            ),
            ([(0, false), (9, true), (9.1, false), (9.2, true), (9.4, true)], ["end", "end", "end", "end", "end"]),
        ] as [([(Double, Bool)], [String])])
    func `A load is shown after a delay, and then for a minimum time`(steps: [(Double, Bool)], expected: [String]) {
        #expect(shown(steps) == expected)
    }

    @Test func `Without delays, each state is shown at once`() {
        #expect(shown([(0, true), (0, false), (0, true)], delay: 0, minimum: 0) == ["load", "end", "load"])
    }

    @Test func `The next update is the time at which the result changes`() {
        var timing = StatusTiming<Int>(loadingDelay: 0.3, minimumLoadingTime: 0.5)
        #expect(timing.update(1, isLoading: true, shown: 0, at: 10).nextUpdate == 10.3)
        #expect(timing.update(1, isLoading: true, shown: 0, at: 10.1).nextUpdate == 10.3)
        #expect(timing.update(1, isLoading: true, shown: 0, at: 11).nextUpdate == nil)
        #expect(timing.update(2, isLoading: false, shown: 1, at: 11.2).nextUpdate == 11.5)
        #expect(timing.update(2, isLoading: false, shown: 1, at: 11.5).nextUpdate == nil)
    }
}
