import Foundation
import Testing

@testable import SiestaLive

struct ReconnectRulesTests {
    @Test("The delay doubles from one second to 30 seconds")
    func doubling() {
        var rules = ReconnectRules()
        let delays = (0..<8).map { rules.delay(at: Double($0), retryAfter: nil, fraction: 0) }
        #expect(delays == [1, 2, 4, 8, 16, 30, 30, 30])
    }

    @Test(
        "A random number shortens the delay by up to half of it",
        arguments: [(0, 1.0), (0.5, 0.75), (1, 0.5), (7, 0.5), (-1, 1.0)])
    func jitter(fraction: Double, expected: Double) {
        var rules = ReconnectRules()
        #expect(rules.delay(at: 0, retryAfter: nil, fraction: fraction) == expected)
    }

    @Test("Only a connection of 60 seconds resets the delay", arguments: [(59.9, 4.0), (60, 1.0), (1000, 1.0)])
    func reset(lasting time: TimeInterval, expected: Double) {
        var rules = ReconnectRules()
        _ = rules.delay(at: 0, retryAfter: nil, fraction: 0)
        _ = rules.delay(at: 1, retryAfter: nil, fraction: 0)
        rules.opened(at: 10)
        #expect(rules.delay(at: 10 + time, retryAfter: nil, fraction: 0) == expected)
    }

    @Test("A failed attempt after a long connection does not reset the delay again")
    func resetOnce() {
        var rules = ReconnectRules()
        rules.opened(at: 0)
        #expect(rules.delay(at: 100, retryAfter: nil, fraction: 0) == 1)
        #expect(rules.delay(at: 300, retryAfter: nil, fraction: 0) == 2)
    }

    @Test(
        "The server's reconnection time is the first delay, within bounds",
        arguments: [(0, 0.1), (0.5, 0.5), (5, 5.0), (60, 60.0), (1e9, 3600), (.infinity, 3600)])
    func asked(time: TimeInterval, expected: Double) {
        var rules = ReconnectRules()
        rules.asked = time
        #expect(rules.delay(at: 0, retryAfter: nil, fraction: 0) == expected)
        let second = rules.delay(at: 1, retryAfter: nil, fraction: 0)
        #expect(second == max(min(expected * 2, 30), expected))
    }

    @Test("`Retry-After` is a lower bound, of an hour at most", arguments: [(0.2, 1.0), (20, 20.0), (1e7, 3600)])
    func retryAfter(time: TimeInterval, expected: Double) {
        var rules = ReconnectRules()
        #expect(rules.delay(at: 0, retryAfter: time, fraction: 0) == expected)
    }
}
