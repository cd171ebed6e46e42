import Foundation
import TestKit
import Testing

@testable import HTTPRules

@Suite(.timeLimit(.test))
struct BackoffTests {
    @Test func `The delay doubles up to the limit`() {
        let backoff = Backoff(first: 0.5, limit: 20, jitter: 1)
        let delays = (0..<8).map { backoff.delay(doublings: $0, fraction: 1) }
        #expect(delays == [0.5, 1, 2, 4, 8, 16, 20, 20])
    }

    @Test(arguments: [(0, 0.5), (0.5, 0.75), (1, 1.0), (-1, 0.5), (7, 1.0)])
    func `A random number leaves out a part of the delay`(fraction: Double, expected: TimeInterval) {
        let backoff = Backoff(first: 1, limit: 30, jitter: 0.5)
        #expect(backoff.delay(doublings: 0, fraction: fraction) == expected)
    }

    @Test(arguments: [Int.min, -1, 0, 60, Int.max])
    func `Every number of doublings gives a finite delay`(doublings: Int) {
        let backoff = Backoff(first: 1, limit: 300, jitter: 0.5)
        let delay = backoff.delay(doublings: doublings, fraction: 1)
        #expect((1...300).contains(delay))
    }

    @Test(arguments: [-1, TimeInterval.nan, -TimeInterval.infinity])
    func `Negative times and NaN count as zero`(time: TimeInterval) {
        #expect(Backoff(first: time, limit: 30, jitter: 1).delay(doublings: 3, fraction: 1) == 0)
        #expect(Backoff(first: 1, limit: time, jitter: 1).delay(doublings: 3, fraction: 1) == 0)
    }
}
