import CacheTorture

import TestKit
import Testing

@testable import SiestaCore

/// Values of objects, in the order in which they were added.
@Suite(.timeLimit(.test))
struct ObjectTableTests {
    private final class Thing {}

    @Test func `Random changes have the same result as in a list`() {
        for seed in TestSeed.cases(TestLevel.count(50, nightly: 500)) {
            var generator = SeededGenerator(seed: seed)
            let things = (0..<20).map { _ in Thing() }
            var (table, list) = (ObjectTable<Int>(), [(index: Int, value: Int)]())
            for value in 0..<200 {
                let index = Int.random(in: 0..<20, using: &generator)
                let known = list.firstIndex { $0.index == index }
                let old = known.map { list.remove(at: $0).value }
                if Bool.random(using: &generator) {
                    #expect(table.set(value, of: things[index]) == old, "seed \(seed)")
                    list.append((index, value))
                } else {
                    #expect(table.set(nil, of: things[index]) == old, "seed \(seed)")
                }
                if value % 50 == 49 {
                    let removed = table.removeAll { $0.isMultiple(of: 3) }
                    #expect(removed == list.map(\.value).filter { $0.isMultiple(of: 3) }, "seed \(seed)")
                    list.removeAll { $0.value.isMultiple(of: 3) }
                }
                #expect(table.values == list.map(\.value), "seed \(seed)")
                #expect(table.first == list.first?.value, "seed \(seed)")
                #expect(table.last == list.last?.value, "seed \(seed)")
            }
        }
    }

    @Test func `A change takes constant time`() {
        let growth = Growth(of: 20_000) {
            (0..<$0).map { _ in Thing() }
        } _: { things in
            var table = ObjectTable<Int>()
            for thing in things { _ = table.set(1, of: thing) }
            for thing in things { _ = table.set(2, of: thing) }
            for thing in things { _ = table.set(nil, of: thing) }
        }
        #expect(growth.isBounded, "\(growth)")
    }
}
