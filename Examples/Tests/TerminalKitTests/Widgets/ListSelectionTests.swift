import TestKit
import Testing

@testable import TerminalKit

@Suite("A list selection stays in the list and in view", .timeLimit(.test))
struct ListSelectionTests {
    @Test(
        "Keys move the selection and stop at the ends",
        arguments: [
            ([], 0, 0), ([.up], 0, 0), ([.down], 1, 0), ([.down, .down, .down], 3, 1), ([.pageDown], 3, 1),
            ([.pageDown, .pageUp], 0, 0), ([.end], 9, 7), ([.end, .down], 9, 7), ([.end, .up, .up, .up], 6, 6),
            ([.end, .home], 0, 0), ([.end, .pageUp], 6, 6), ([.end, .pageDown], 9, 7),
        ] as [([Key], Int, Int)])
    func moving(keys: [Key], selected: Int, top: Int) {
        var list = ListSelection(count: 10, height: 3)
        for key in keys { list.handle(key) }
        #expect(list.selected == selected)
        #expect(list.top == top)
        #expect(list.visible == top..<top + 3)
    }

    @Test("An empty list has no selection, whatever is pressed")
    func empty() {
        var list = ListSelection(count: 0, height: 3)
        for key in [Key.up, .down, .pageUp, .pageDown, .home, .end] { list.handle(key) }
        #expect(list.selected == nil)
        #expect(list.visible.isEmpty)
    }

    @Test("A list that shrinks or grows takes the selection along")
    func updating() {
        var list = ListSelection(count: 10, height: 3)
        list.end()
        list.update(count: 5, height: 3)
        #expect(list.selected == 4)
        #expect(list.visible == 2..<5)
        list.update(count: 5, height: 10)
        #expect(list.visible == 0..<5)
        list.update(count: 0, height: 3)
        #expect(list.selected == nil)
        list.update(count: 2, height: 3)
        #expect(list.selected == 0)
    }

    @Test("Other keys are left to others, and huge moves stop at the ends")
    func extremes() {
        var list = ListSelection(count: 10, height: 3)
        let handled = list.handle(.enter)
        #expect(!handled)
        list.move(by: .max)
        #expect(list.selected == 9)
        list.move(by: .max)
        #expect(list.selected == 9)
        list.move(by: .min)
        #expect(list.selected == 0)
    }

    @Test("The promises hold after any sequence of calls", arguments: 0..<30)
    func promises(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var list = ListSelection()
        for _ in 0..<100 {
            if Int.random(in: 0..<4, using: &random) == 0 {
                list.update(count: .random(in: -1...12, using: &random), height: .random(in: -1...6, using: &random))
            } else {
                list.move(by: .random(in: -7...7, using: &random))
            }
            #expect(list.selected.map(list.visible.contains) ?? (list.count == 0))
            #expect(list.visible.count == min(list.count, list.height))
        }
    }
}
