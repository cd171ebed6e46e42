import TestKit
import Testing

@testable import SiestaUI

@Suite(.timeLimit(.test))
struct CostLimitedCacheTests {
    /// The same cache in its simplest form: a list in the order of use.
    private struct Model {
        var entries: [(key: Int, value: Int, cost: Int)] = []
        var limit: Int

        mutating func value(for key: Int) -> Int? {
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
            entries.append(entries.remove(at: index))
            return entries.last?.value
        }

        mutating func set(_ value: Int, for key: Int, cost: Int) {
            entries.removeAll { $0.key == key }
            if cost <= limit { entries.append((key, value, cost)) }
            trim()
        }

        mutating func trim() {
            while entries.reduce(0, { $0 + $1.cost }) > limit { entries.removeFirst() }
        }
    }

    @Test(arguments: TestSeed.cases(50))
    func `The cache keeps the values that were used last`(seed: UInt64) {
        var random = SeededGenerator(seed)
        var (cache, model) = (CostLimitedCache<Int, Int>(limit: 50), Model(limit: 50))
        for step in 0..<400 {
            let key = Int.random(in: 0..<12, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let cost = Int.random(in: 0..<(step % 7 == 0 ? 60 : 15), using: &random)
                cache.set(step, for: key, cost: cost)
                model.set(step, for: key, cost: cost)
            case 5..<8:
                let (found, expected) = (cache.value(for: key), model.value(for: key))
                #expect(found == expected)
            case 8:
                cache.remove(key)
                model.entries.removeAll { $0.key == key }
            default:
                let limit = Int.random(in: 0..<80, using: &random)
                (cache.limit, model.limit) = (limit, limit)
                model.trim()
            }
            #expect(cache.count == model.entries.count)
            #expect(cache.cost == model.entries.reduce(0) { $0 + $1.cost })
        }
        cache.removeAll()
        #expect(cache.count == 0)
        #expect(cache.cost == 0)
    }

    @Test func `A cache without a limit holds values of any cost`() {
        var cache = CostLimitedCache<Int, Int>(limit: .max)
        for key in 0..<3 { cache.set(key, for: key, cost: .max / 2 + 1) }
        #expect(cache.count == 1)
        #expect(cache.cost == .max / 2 + 1)
        #expect(cache.evictionCount == 2)
        #expect(cache.takeRemoved().map(\.value) == [0, 1])
        #expect(cache.takeRemoved().isEmpty)
    }
}
