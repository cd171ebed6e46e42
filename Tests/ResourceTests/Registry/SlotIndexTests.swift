import CacheTorture

import TestKit
import Testing

@testable import SiestaCore

@Suite(.timeLimit(.test))
struct SlotIndexTests {
    private var index = SlotIndex()

    @Test func `Nothing is found in an empty index`() {
        #expect(index.slot(hash: 1) { _ in true } == nil)
    }

    @Test mutating func `Keys of the same hash are told apart by the owner`() {
        for slot in 0..<5 { index.insert(slot, hash: 42) }
        #expect(index.slot(hash: 42) { $0 == 3 } == 3)
        #expect(index.slot(hash: 42) { _ in false } == nil)
        index.remove(3, hash: 42)
        #expect(index.slot(hash: 42) { $0 == 3 } == nil)
        #expect(index.slot(hash: 42) { $0 == 4 } == 4)
    }

    @Test mutating func `Removing what is not there has no effect`() {
        index.remove(0, hash: 1)
        index.insert(0, hash: 1)
        index.remove(1, hash: 1)
        #expect(index.count == 1)
        #expect(index.slot(hash: 1) { _ in true } == 0)
    }

    @Test(arguments: TestSeed.cases(TestLevel.count(10, nightly: 20)))
    mutating func `It agrees with a dictionary whatever is added and removed, in whatever order`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var hashes: [Int: Int] = [:]
        let hashRange = 1 << Int.random(in: 1...40, using: &random)
        for slot in 0..<2000 {
            let victim = Bool.random(using: &random) ? hashes.keys.min() : nil
            if let victim, let hash = hashes.removeValue(forKey: victim) {
                index.remove(victim, hash: hash)
            } else {
                hashes[slot] = Int.random(in: -hashRange...hashRange, using: &random)
                index.insert(slot, hash: hashes[slot] ?? 0)
            }
            #expect(index.count == hashes.count)
        }
        for slot in 0..<2000 {
            let found = index.slot(hash: hashes[slot] ?? 7) { $0 == slot }
            #expect(found == (hashes[slot] == nil ? nil : slot))
        }
    }
}
