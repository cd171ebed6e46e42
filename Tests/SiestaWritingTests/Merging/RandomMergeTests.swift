import SiestaCore
import SiestaJSON
import TestKit
import Testing

@testable import SiestaWriting

/// Properties of merges of random values.
@Suite(.timeLimit(.model))
struct RandomMergeTests {
    private static func versions(_ seed: UInt64) -> ThreeWayMerge.Versions<JSONValue> {
        var random = RandomJSON(seed: seed)
        let base = random.value(depth: 4)
        return ThreeWayMerge.Versions(base: base, mine: random.edited(base), theirs: random.edited(base))
    }

    @Test func `If one side changed nothing, the other side counts`() {
        for seed in TestSeed.cases(TestLevel.count(100, nightly: 1_000)) {
            let versions = Self.versions(seed)
            let (base, mine) = (versions.base, versions.mine)
            for side in [ThreeWayMerge.Side.mine, .theirs] {
                let merges = [
                    ThreeWayMerge(base: base, mine: mine, theirs: base, preferring: side),
                    ThreeWayMerge(base: base, mine: base, theirs: mine, preferring: side),
                    ThreeWayMerge(base: base, mine: mine, theirs: mine, preferring: side),
                ]
                #expect(merges.allSatisfy { $0.value == mine && $0.conflicts.isEmpty }, "seed \(seed)")
            }
        }
    }

    @Test func `Both sides see the same conflicts, and agree about the value`() {
        let count = TestLevel.count(100, nightly: 1_000)
        var found = 0
        for seed in TestSeed.cases(count) {
            let versions = Self.versions(seed)
            let (base, mine, theirs) = (versions.base, versions.mine, versions.theirs)
            let merge = ThreeWayMerge(base: base, mine: mine, theirs: theirs)
            let swapped = ThreeWayMerge(base: base, mine: theirs, theirs: mine, preferring: .mine)
            #expect(Self.places(merge.conflicts) == Self.places(swapped.conflicts.map(Self.swapped)), "seed \(seed)")
            #expect(merge.value.map(Self.unordered) == swapped.value.map(Self.unordered), "seed \(seed)")
            found += merge.conflicts.count
        }
        #expect(found > TestLevel.count(0, nightly: count / 8))
    }

    @Test func `Without conflicts, a merge applies both deltas in either order`() {
        let count = TestLevel.count(200, nightly: 2_000)
        var (merged, changedTwice) = (0, 0)
        for seed in TestSeed.cases(count) {
            let versions = Self.versions(seed)
            let (base, mine, theirs) = (versions.base, versions.mine, versions.theirs)
            let merge = ThreeWayMerge(base: base, mine: mine, theirs: theirs)
            guard merge.conflicts.isEmpty, let value = merge.value else { continue }
            let (first, second) = (JSONDelta(from: base, to: mine), JSONDelta(from: base, to: theirs))
            #expect(Self.unordered(first.applied(to: theirs)) == Self.unordered(value), "seed \(seed)")
            #expect(Self.unordered(second.applied(to: mine)) == Self.unordered(value), "seed \(seed)")
            merged += 1
            if !first.isEmpty, !second.isEmpty, first != second { changedTwice += 1 }
        }
        #expect(merged > count / 8)
        #expect(changedTwice > TestLevel.count(0, nightly: count / 40))
    }

    @Test func `A conflict-free value is a fixed point`() {
        for seed in TestSeed.cases(TestLevel.count(100, nightly: 1_000)) {
            let versions = Self.versions(seed)
            let merge = ThreeWayMerge(base: versions.base, mine: versions.mine, theirs: versions.theirs)
            let again = ThreeWayMerge(base: versions.theirs, mine: merge.value, theirs: versions.theirs)
            #expect(again.value == merge.value, "seed \(seed)")
            #expect(again.conflicts.isEmpty, "seed \(seed)")
        }
    }

    /// The conflicts without the indexes of elements, which depend on the side.
    private static func places(_ conflicts: [ThreeWayMerge.Conflict]) -> [ThreeWayMerge.Conflict: Int] {
        let places = conflicts.map { conflict in
            let tokens = conflict.path.tokens.map { Int($0) == nil ? $0 : "#" }
            return ThreeWayMerge.Conflict(
                isOfOrder: conflict.isOfOrder, path: JSONPointer(tokens: tokens), identifiers: conflict.identifiers,
                base: conflict.base, mine: conflict.mine, theirs: conflict.theirs)
        }
        return Dictionary(places.map { ($0, 1) }, uniquingKeysWith: +)
    }

    private static func swapped(_ conflict: ThreeWayMerge.Conflict) -> ThreeWayMerge.Conflict {
        ThreeWayMerge.Conflict(
            isOfOrder: conflict.isOfOrder, path: conflict.path, identifiers: conflict.identifiers, base: conflict.base,
            mine: conflict.theirs, theirs: conflict.mine)
    }

    /// Returns a value whose arrays of objects are sorted, because the order of inserts depends on the side.
    private static func unordered(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members): return .object(members.mapValues(unordered))
        case .array(let elements):
            let elements = elements.map(unordered)
            guard elements.allSatisfy({ $0.members != nil }) else { return .array(elements) }
            return .array(elements.sorted { $0.description < $1.description })
        default: return value
        }
    }
}
