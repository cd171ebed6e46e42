import HTTPRules

import TestKit
import Testing

@testable import SiestaCore

@Suite(.timeLimit(.test))
struct RecencyRegistryTests {
    private final class Item {
        let name: String
        init(_ name: String) { self.name = name }
    }

    private var registry = RecencyRegistry<Item> { $0.name }

    private var names: [String] { registry.elements.map(\.name) }

    private mutating func fill(_ count: Int) {
        for number in 0..<count { registry.insert(Item("\(number)")) }
    }

    @Test mutating func `An object is found by its key, and nothing by another`() {
        let item = Item("a")
        registry.insert(item)
        #expect(registry.use("a") === item)
        #expect(registry.use("b") == nil)
        #expect(registry.count == 1)
    }

    @Test mutating func `Objects are in the order of their last use`() {
        fill(4)
        _ = registry.use("1")
        _ = registry.use("0")
        _ = registry.use("0")
        #expect(names == ["2", "3", "1", "0"])
    }

    @Test mutating func `The slots of new and of used objects are taken once`() {
        #expect(registry.takeUsedSlots().isEmpty)
        fill(3)
        #expect(registry.takeUsedSlots().count == 3)
        #expect(registry.takeUsedSlots().isEmpty)
        _ = registry.use("1")
        registry.insert(Item("3"))
        let taken = registry.takeUsedSlots()
        #expect(registry.elements(in: taken).map(\.name) == ["3", "1"])
        #expect(names == ["0", "2", "1", "3"])
    }

    @Test mutating func `A search passes both marks, and a trim takes them away`() {
        fill(2)
        registry.setMark(.sweep)
        _ = registry.takeUsedSlots()
        registry.setMark(.sweep)
        registry.insert(Item("2"))
        #expect(registry.elements(in: registry.takeUsedSlots()).map(\.name) == ["2"])
        _ = registry.trimCompletely(to: 0) { _ in .unused }
        fill(2)
        #expect(registry.takeUsedSlots().count == 2)
        #expect(names == ["0", "1"])
    }

    @Test(arguments: 0...6)
    mutating func `The least recently used unused objects go, no more than needed`(_ limit: Int) {
        fill(6)
        _ = registry.use("0")
        _ = registry.trim(to: limit) { _ in .unused }
        #expect(names == Array(["1", "2", "3", "4", "5", "0"].suffix(limit)))
    }

    @Test mutating func `An object that somebody refers to stays, and counts as used`() {
        fill(3)
        let held = registry.use("0")
        _ = registry.use("1")
        _ = registry.use("2")
        _ = registry.trim(to: 1) { _ in .unused }
        #expect(names == ["0"])
        #expect(held != nil)
    }

    @Test mutating func `An object with another reason to be kept stays`() {
        fill(4)
        _ = registry.trimCompletely(to: 0) { $0.name == "2" ? .kept : .unused }
        #expect(names == ["2"])
        _ = registry.trimCompletely(to: 0) { _ in .unused }
        #expect(registry.count == 0)
    }

    @Test mutating func `A search ends at an object that has to be settled, and goes on with it once that is done`() {
        fill(5)
        let trimmed = registry.trimCompletely(to: 0) { $0.name == "2" ? .unsettled : .unused }
        #expect(trimmed.dropped.map(\.name) == ["0", "1"])
        #expect(trimmed.unsettled?.name == "2")
        #expect(names == ["2", "3", "4"])
    }

    @Test mutating func `A slot that was freed is used again`() {
        for round in 0..<3 {
            for number in 0..<5 { registry.insert(Item("\(round)-\(number)")) }
            _ = registry.trimCompletely(to: 2) { _ in .unused }
        }
        #expect(names == ["2-3", "2-4"])
        #expect(registry.use("2-3")?.name == "2-3")
        #expect(registry.use("0-0") == nil)
        #expect(names == ["2-4", "2-3"])
    }

    @Test mutating func `With all objects in use, each insertion examines a constant number of them`() {
        var held: [Item] = []
        var examined = 0
        for number in 0..<10_000 {
            held.append(Item("\(number)"))
            registry.insert(held[number])
            _ = registry.trim(to: 10) { _ in .unused }
        }
        _ = registry.trimCompletely(to: 10) { _ in
            examined += 1
            return .kept
        }
        #expect(registry.count == 10_000)
        #expect(examined == 10_000, "each is asked about once")
    }

    @Test
    mutating func `With all objects kept, the number of questions grows with the insertions, not with their square`() {
        var questions = 0
        for number in 0..<10_000 {
            registry.insert(Item("\(number)"))
            _ = registry.trim(to: 10) { _ in
                questions += 1
                return .kept
            }
        }
        #expect(registry.count == 10_000)
        #expect(questions <= 20 * 10_000)
    }

    @Test mutating func `Once objects are no longer kept, insertions bring the number down to the limit`() {
        for number in 0..<1_000 {
            registry.insert(Item("\(number)"))
            _ = registry.trim(to: 10) { _ in .kept }
        }
        for number in 1_000..<1_200 {
            registry.insert(Item("\(number)"))
            _ = registry.trim(to: 10) { _ in .unused }
        }
        #expect(registry.count == 10)
        #expect(names.last == "1199")
    }
}

extension RecencyRegistry {
    fileprivate mutating func use(_ key: String) -> Element? {
        key.withUTF8Bytes { use($0) }
    }
}
