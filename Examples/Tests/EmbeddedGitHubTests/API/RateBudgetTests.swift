import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("A rate budget counts the requests of an hour", .timeLimit(.test))
struct RateBudgetTests {
    private static let start = Moment(seconds: 10_000)

    @Test("separately with and without a token")
    func separately() {
        var budget = RateBudget()
        _ = budget.spend(authorised: false, at: Self.start)
        let anonymous = budget.spend(authorised: false, at: Self.start)
        let authorised = budget.spend(authorised: true, at: Self.start)
        #expect(anonymous == .init(limit: 60, remaining: 58, reset: Moment(seconds: 13_600)))
        #expect(authorised == .init(limit: 5000, remaining: 4999, reset: Moment(seconds: 13_600)))
    }

    @Test("down to one, never to none")
    func generous() {
        var budget = RateBudget()
        let last = (0..<200).map { _ in budget.spend(authorised: false, at: Self.start).remaining }.last
        #expect(last == 1)
    }

    @Test("and begins again when the hour is over")
    func nextHour() {
        var budget = RateBudget()
        _ = budget.spend(30, authorised: false, at: Self.start)
        #expect(budget.spend(authorised: false, at: Self.start.adding(seconds: 3599)).remaining == 29)
        let next = budget.spend(authorised: false, at: Self.start.adding(seconds: 3600))
        #expect(next == .init(limit: 60, remaining: 59, reset: Moment(seconds: 17_200)))
    }
}
