import Foundation
import SiestaCore
import SiestaJSON
import SiestaWriting
import TestKit
import Testing

/// The time of merges must not grow faster than n log n in the sizes of the values.
@Suite(.serialized, .timeLimit(.model))
struct MergingGrowthTests {
    private static let amount = TestLevel.count(1_250, nightly: 5_000)

    private static func list(_ ids: some Sequence<Int>, _ member: Int = 0) -> JSONValue {
        .array(ids.map { ["id": .number(.init(Int64($0))), "a": .number(.init(Int64(member)))] })
    }

    private static func object(_ count: Int, _ value: JSONValue) -> JSONValue {
        .object(Dictionary(uniqueKeysWithValues: (0..<count).map { ("m\($0)", value) }))
    }

    @Test func `Arrays in a new order`() {
        let growth = Growth(of: Self.amount) { count in
            (Self.list(0..<count), Self.list((0..<count).reversed(), 1))
        } _: { before, after in
            #expect(JSONDelta(from: before, to: after).applied(to: before) == after)
            #expect(ThreeWayMerge(base: before, mine: after, theirs: before).value == after)
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Arrays whose elements are all replaced`() {
        let growth = Growth(of: Self.amount) { count in
            (Self.list(0..<count), Self.list(count..<2 * count))
        } _: { before, after in
            #expect(JSONDelta(from: before, to: after).applied(to: before) == after)
            #expect(
                ThreeWayMerge(base: [], mine: after, theirs: before).value?.elements?.count
                    == after.elements.map { $0.count * 2 })
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Arrays whose elements all conflict`() {
        let growth = Growth(of: Self.amount * 2) { count in
            [Self.list(0..<count), Self.list(0..<count, 1), Self.list(0..<count, 2)]
        } _: { versions in
            let merge = ThreeWayMerge(base: versions[0], mine: versions[1], theirs: versions[2])
            #expect(merge.conflicts.count == versions[0].elements?.count)
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Objects with many members`() {
        let growth = Growth(of: Self.amount * 2) { count in
            (Self.object(count, 1), Self.object(count, [2]))
        } _: { before, after in
            #expect(JSONDelta(from: before, to: after).applied(to: before) == after)
            #expect(JSONMergePatch(from: before, to: after)?.applied(to: before) == after)
            #expect(ThreeWayMerge(base: before, mine: after, theirs: [:]).conflicts.count == before.members?.count)
            #expect((try? JSONValue(parsing: after.data)) == after)
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Deep values with an equal part at each level`() {
        func nested(_ width: Int, _ end: JSONValue) -> JSONValue {
            let wide = JSONValue.array((0..<width).map { .number(.init(Int64($0))) })
            return (0..<50).reduce(end) { value, _ in ["a": value, "wide": wide] }
        }
        let growth = Growth(of: 500) { width in
            [nested(width, 1), nested(width, 2), nested(width, 3)]
        } _: { versions in
            #expect(JSONDelta(from: versions[0], to: versions[1]).applied(to: versions[0]) == versions[1])
            #expect(ThreeWayMerge(base: versions[0], mine: versions[1], theirs: versions[2]).conflicts.count == 1)
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test(arguments: [
        ("[", "1,", "1]"), ("\"", "\\u00e9", "\""), ("", "7", ""), ("0.", "07", ""), ("1e", "9", ""), ("\"", "ab", ""),
        ("[", "{\"a\":", ""), ("", "-", ""), ("{", "\"a\":1,", "\"a\":1}"), ("", " ", "1"),
    ])
    func `Texts of repeated parts`(start: String, part: String, end: String) {
        let growth = Growth(of: 5_000) { count in
            Data((start + String(repeating: part, count: count) + end).utf8)
        } _: { text in
            _ = try? JSONValue(parsing: text)
        }
        #expect(growth.isBounded, "\(growth)")
    }
}
