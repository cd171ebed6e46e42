import SiestaCore
import TestKit
import Testing

@testable import SiestaTransfers

/// The number of partial responses that a download accepts.
@Suite(.timeLimit(.test))
struct DownloadBudgetTests {
    private func steps(of count: Int64) -> Int {
        var budget = DownloadBudget()
        while budget.allowsStep(after: count) {}
        return budget.steps
    }

    @Test(arguments: [1, 100, 1000] as [Int64])
    func `Responses that bring next to nothing are few`(_ count: Int64) {
        #expect(steps(of: count) <= 20)
    }

    @Test func `A response that brings nothing is the last`() {
        #expect(steps(of: 0) == 1)
    }

    @Test(arguments: [64 << 10, 8 << 20] as [Int64])
    func `Responses of a usual size are limited by their number alone`(_ count: Int64) {
        #expect(steps(of: count) == DownloadBudget.stepLimit)
    }

    @Test func `A large response pays for small ones that follow`() {
        var budget = DownloadBudget()
        var steps = budget.allowsStep(after: 10 << 20) ? 1 : 0
        while budget.allowsStep(after: 1) { steps += 1 }
        #expect((150...200).contains(steps))
    }
}
