import Foundation
import SiestaCore
import TestKit
import Testing
@testable import SiestaTesting

/// The decisions about faults.
@Suite(.timeLimit(.test))
struct FaultPlanTests {
    typealias Rate = any WritableKeyPath<FaultRates, Double> & Sendable

    private static let rates: [Rate] = [
        \.delay, \.lostRequest, \.lostResponse, \.cutBody, \.wrongLength, \.duplicate, \.reorder, \.burst,
    ]

    private func decisions(_ plan: FaultPlan, _ count: Int = 2000, url: String = "http://a.test/x") -> [FaultDecision] {
        (1...count).map { plan.decision(method: "GET", url: url, occurrence: $0) }
    }

    @Test func `The generator is SplitMix64`() {
        var zero = SplitMix64(seed: 0)
        #expect(
            (1...3).map { _ in zero.next() } == [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F])
        var other = SplitMix64(seed: 1_234_567)
        #expect((1...2).map { _ in other.next() } == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973])
        #expect((1...1000).allSatisfy { _ in (0..<1).contains(other.nextFraction()) })
    }

    @Test func `The key is the hash FNV-1a of method and URL`() {
        // The published value for the text "foobar", with a space in front of "bar" because of the separator.
        let expected = "foo bar".utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        #expect(FaultPlan.key(method: "foo", url: "bar") == expected)
    }

    @Test func `Equal plans make equal decisions, and other seeds, methods, URLs and numbers make others`() {
        let plan = FaultPlan(seed: 7, rates: .severe)
        let all = decisions(plan)
        #expect(all == decisions(FaultPlan(seed: 7, rates: .severe)))
        #expect(all != decisions(FaultPlan(seed: 8, rates: .severe)))
        #expect(all != decisions(plan, url: "http://a.test/y"))
        #expect(all != (1...2000).map { plan.decision(method: "PUT", url: "http://a.test/x", occurrence: $0) })
        #expect(Set(all).count > 1000)
    }

    @Test func `The decisions of a seed stay the same in all versions`() {
        let texts = (1...6).map {
            FaultPlan(seed: 7, rates: .severe).decision(method: "GET", url: "http://a.test/x", occurrence: $0)
                .description
        }
        #expect(texts == Self.pinned)
    }

    private static let pinned = [
        "no fault", "body cut to 20 %", "no fault", "delayed by 1.361 s, response delayed by 1.359 s",
        "delayed by 0.231 s, response delayed by 1.241 s, response held back", "delayed by 0.077 s, sent twice",
    ]

    @Test func `Fragments and the ports of loopback addresses do not count`() {
        let key = FaultPlan.key(method: "GET", url: "http://127.0.0.1:1234/x?a=1")
        #expect(key == FaultPlan.key(method: "GET", url: "http://127.0.0.1:99/x?a=1#top"))
        #expect(key != FaultPlan.key(method: "GET", url: "http://127.0.0.1:99/x?a=2"))
        let other = FaultPlan.key(method: "GET", url: "http://a.test:1/x")
        #expect(other != FaultPlan.key(method: "GET", url: "http://a.test:2/x"))
    }

    @Test(arguments: rates)
    func `A rate is a probability`(_ rate: Rate) {
        var rates = FaultRates()
        #expect(decisions(FaultPlan(seed: 1, rates: rates)).allSatisfy { $0 == .none })
        rates.burstLength = 1...1
        rates[keyPath: rate] = 0.1
        let count = decisions(FaultPlan(seed: 1, rates: rates), 10_000).count { $0 != .none }
        let expected = rate == \.delay ? 1900 : 1000  // A delay has two occasions.
        #expect(abs(count - expected) < 150)
        rates[keyPath: rate] = 1
        #expect(decisions(FaultPlan(seed: 1, rates: rates)).allSatisfy { $0 != .none })
    }

    @Test func `A change of one rate does not change other faults`() {
        var rates = FaultRates.severe
        let before = decisions(FaultPlan(seed: 3, rates: rates))
        rates.delay = 0
        (rates.duplicate, rates.reorder) = (0, 0)
        let after = decisions(FaultPlan(seed: 3, rates: rates))
        #expect(before.map(\.fault) == after.map(\.fault))
        #expect(
            after.allSatisfy { $0.requestDelay == 0 && $0.responseDelay == 0 && !$0.isDuplicated && !$0.isHeldBack })
    }

    @Test func `A burst hits requests that follow one another`() {
        var rates = FaultRates()
        (rates.burst, rates.burstLength) = (0.05, 3...5)
        let hits = decisions(FaultPlan(seed: 5, rates: rates)).map { $0.fault != nil }
        let runs = hits.dropLast(5).split(separator: false).map(\.count)
        #expect(runs.count > 20)
        #expect(runs.allSatisfy { $0 >= 3 })
        #expect(runs.contains(3))
        #expect(runs.contains(4))
    }

    @Test func `Extreme rates are harmless`() {
        var rates = FaultRates.severe
        (rates.delay, rates.delaySeconds) = (.nan, -5 ... .infinity)
        (rates.burst, rates.burstLength) = (2, -3...Int.max)
        for decision in decisions(FaultPlan(seed: .max, rates: rates), 100) {
            #expect(decision.requestDelay == 0)
        }
        rates.delay = .infinity
        for decision in decisions(FaultPlan(seed: .max, rates: rates), 100) {
            #expect(decision.requestDelay >= 0)
            #expect(decision.requestDelay.isFinite)
        }
    }
}
