import TestKit
import Testing

@testable import SiestaUI

@Suite(.timeLimit(.test))
struct ListChangeTests {
    private struct Row: Equatable {
        let id: Int
        var text = ""
    }

    private func changes(_ old: [Row], _ new: [Row]) -> [ListChange] {
        ListChange.between(old, new, id: \.id, isEqual: ==)
    }

    private func applied(_ changes: [ListChange], to old: [Row], _ new: [Row]) -> [Row] {
        var rows = old
        for change in changes {
            rows.replaceSubrange(change.position..<change.position + change.removedCount, with: new[change.inserted])
        }
        return rows
    }

    private func rows(_ ids: Int...) -> [Row] { ids.map { Row(id: $0) } }

    @Test func `Appending, prepending and replacing are single changes`() {
        #expect(changes(rows(1, 2), rows(1, 2, 3, 4)) == [ListChange(position: 2, removedCount: 0, inserted: 2..<4)])
        #expect(changes(rows(3, 4), rows(1, 2, 3, 4)) == [ListChange(position: 0, removedCount: 0, inserted: 0..<2)])
        #expect(changes(rows(1, 2, 3), rows(1)) == [ListChange(position: 1, removedCount: 2, inserted: 1..<1)])
        #expect(changes(rows(1, 2), rows(1, 2)).isEmpty)
        let new = [Row(id: 1), Row(id: 2, text: "new"), Row(id: 3)]
        #expect(changes(rows(1, 2, 3), new) == [ListChange(position: 1, removedCount: 1, inserted: 1..<2)])
    }

    @Test func `Changes that are apart leave the rows between them`() {
        let new = [Row(id: 1, text: "x"), Row(id: 2), Row(id: 3), Row(id: 4, text: "y"), Row(id: 5)]
        let changes = changes(rows(1, 2, 3, 4, 5), new)
        #expect(changes.map(\.position) == [3, 0])
        #expect(changes.map(\.removedCount) == [1, 1])
    }

    @Test(arguments: TestSeed.cases(TestLevel.count(100, nightly: 300)))
    func `The changes turn one list into the other`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let old = (0..<Int.random(in: 0..<30, using: &random)).map { Row(id: $0) }
        var new = old.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
            new.insert(Row(id: .random(in: 100..<200, using: &random)), at: .random(in: 0...new.count, using: &random))
        }
        if seed % 3 == 0 { new.shuffle(using: &random) }
        for index in new.indices where Int.random(in: 0..<8, using: &random) == 0 { new[index].text = "new" }
        #expect(applied(changes(old, new), to: old, new) == new)
    }

    @Test func `Changes that are far apart are small in long lists, too`() {
        let old = (0..<100_000).map { Row(id: $0) }
        var new = old
        new[10].text = "new"
        new.remove(at: 50_000)
        new.insert(Row(id: -1), at: 20_000)
        new.append(Row(id: -2))
        let changes = changes(old, new)
        #expect(changes.map(\.removedCount) == [0, 1, 0, 1])
        #expect(changes.map(\.inserted.count) == [1, 0, 1, 1])
        #expect(applied(changes, to: old, new) == new)
    }

    @Test func `Items that move in long lists, and items with one identity, are replaced`() {
        let old = (0..<1000).map { Row(id: $0) }
        let moved = Array(old.reversed())
        #expect(applied(changes(old, moved), to: old, moved) == moved)
        let twins = (0..<1000).map { Row(id: $0 / 2) }
        #expect(applied(changes(old, twins), to: old, twins) == twins)
        #expect(applied(changes(twins, old), to: twins, old) == old)
    }

    @Test func `Large changes are found in linear time`() {
        let old = (0..<100_000).map { Row(id: $0) }
        let new = (0..<100_000).map { Row(id: $0 % 2 == 0 ? $0 : -$0) }
        let changes = changes(old, new)
        #expect(applied(changes, to: old, new) == new)
    }
}
