import Foundation
import SiestaCore
import SiestaJSON
import TestKit
import Testing

@testable import SiestaWriting

@Suite(.timeLimit(.test))
struct ThreeWayMergeTests {
    /// A merge, its result, and the paths of its conflicts. An empty text is a missing value.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let base: String
        let mine: String
        let theirs: String
        let result: String
        let conflicts: [String]

        init(
            _ name: String, _ base: String, _ mine: String, _ theirs: String, is result: String, _ conflicts: String...
        ) {
            (testDescription, self.base, self.mine, self.theirs) = (name, base, mine, theirs)
            (self.result, self.conflicts) = (result, conflicts)
        }
    }

    @Test(arguments: [
        Case("two members", #"{"a":1,"b":1}"#, #"{"a":2,"b":1}"#, #"{"a":1,"b":2}"#, is: #"{"a":2,"b":2}"#),
        Case("equal changes", #"{"a":1}"#, #"{"a":2}"#, #"{"a":2.0}"#, is: #"{"a":2}"#),
        Case("different changes", #"{"a":1}"#, #"{"a":2}"#, #"{"a":3}"#, is: #"{"a":3}"#, "/a"),
        Case("my removal, their change", #"{"a":1}"#, "{}", #"{"a":3}"#, is: #"{"a":3}"#, "/a"),
        Case("my change, their removal", #"{"a":1}"#, #"{"a":2}"#, "{}", is: "{}", "/a"),
        Case("two removals", #"{"a":1,"b":1}"#, #"{"b":1}"#, #"{"b":1}"#, is: #"{"b":1}"#),
        Case("a removal", #"{"a":1,"b":1}"#, #"{"b":1}"#, #"{"a":1,"b":2}"#, is: #"{"b":2}"#),
        Case("their removal", #"{"a":1,"b":1}"#, #"{"a":1,"b":2}"#, #"{"b":1}"#, is: #"{"b":2}"#),
        Case("null is a value", #"{"a":1}"#, #"{"a":null}"#, "{}", is: "{}", "/a"),
        Case("two additions", "{}", #"{"a":1}"#, #"{"b":2}"#, is: #"{"a":1,"b":2}"#),
        Case("one name, two values", "{}", #"{"a":1}"#, #"{"a":2}"#, is: #"{"a":2}"#, "/a"),
        Case(
            "two added objects", "{}", #"{"o":{"a":1,"c":1}}"#, #"{"o":{"b":2,"c":2}}"#,
            is: #"{"o":{"a":1,"b":2,"c":2}}"#, "/o/c"),
        Case(
            "null becomes two objects", #"{"o":null}"#, #"{"o":{"a":1}}"#, #"{"o":{"b":2}}"#, is: #"{"o":{"b":2}}"#,
            "/o"),
        Case(
            "deep members", #"{"o":{"a/b":1,"c":1}}"#, #"{"o":{"a/b":2,"c":2}}"#, #"{"o":{"a/b":3,"c":1}}"#,
            is: #"{"o":{"a/b":3,"c":2}}"#, "/o/a~1b"),
        Case(
            "my change inside, their removal of the object", #"{"o":{"a":1}}"#, #"{"o":{"a":2}}"#, "{}", is: "{}", "/o"),
        Case("arrays without ids, one changed", "[1,2]", "[1]", "[1,2]", is: "[1]"),
        Case("arrays without ids, both changed", "[1,2]", "[1]", "[2]", is: "[2]", ""),
        Case("nothing at all", "", "", "", is: ""),
        Case("two creations", "", #"{"a":1}"#, #"{"a":1,"b":1}"#, is: #"{"a":1,"b":1}"#),
        Case("their removal of the whole", "1", "2", "", is: "", ""),
        Case(
            "two elements", #"[{"id":1},{"id":2}]"#, #"[{"id":1,"a":1},{"id":2}]"#, #"[{"id":1},{"id":2,"a":2}]"#,
            is: #"[{"id":1,"a":1},{"id":2,"a":2}]"#),
        Case(
            "an element conflicts in one member", #"[{"id":0},{"id":1,"a":1,"b":1}]"#,
            #"[{"id":1,"a":2,"b":2},{"id":0}]"#, #"[{"id":0},{"id":1,"a":3,"b":1}]"#,
            is: #"[{"id":1,"a":3,"b":2},{"id":0}]"#, "/1/a"),
        Case(
            "two inserts", #"[{"id":1},{"id":2}]"#, #"[{"id":1},{"id":8},{"id":2}]"#, #"[{"id":1},{"id":2},{"id":9}]"#,
            is: #"[{"id":1},{"id":8},{"id":2},{"id":9}]"#),
        Case(
            "an insert after a removed element", #"[{"id":1},{"id":2}]"#, #"[{"id":1},{"id":8},{"id":2}]"#,
            #"[{"id":2}]"#, is: #"[{"id":8},{"id":2}]"#),
        Case("an element removed by both", #"[{"id":1},{"id":2}]"#, #"[{"id":1}]"#, #"[{"id":1}]"#, is: #"[{"id":1}]"#),
        Case(
            "a removal and an insert", #"[{"id":1},{"id":2}]"#, #"[{"id":2}]"#, #"[{"id":1},{"id":2},{"id":3}]"#,
            is: #"[{"id":2},{"id":3}]"#),
        Case(
            "my removal of an element they changed", #"[{"id":1,"a":1}]"#, "[]", #"[{"id":1,"a":2}]"#,
            is: #"[{"id":1,"a":2}]"#, "/0"),
        Case("their removal of an element I changed", #"[{"id":1,"a":1}]"#, #"[{"id":1,"a":2}]"#, "[]", is: "[]", "/0"),
        Case(
            "my move, their change", #"[{"id":1},{"id":2},{"id":3}]"#, #"[{"id":3},{"id":1},{"id":2}]"#,
            #"[{"id":1},{"id":2,"a":1},{"id":3}]"#, is: #"[{"id":3},{"id":1},{"id":2,"a":1}]"#),
        Case(
            "equal moves", #"[{"id":1},{"id":2}]"#, #"[{"id":2},{"id":1}]"#, #"[{"id":2},{"id":1},{"id":3}]"#,
            is: #"[{"id":2},{"id":1},{"id":3}]"#),
        Case(
            "different moves", #"[{"id":1},{"id":2},{"id":3}]"#, #"[{"id":3},{"id":1},{"id":2}]"#,
            #"[{"id":2},{"id":1},{"id":3}]"#, is: #"[{"id":2},{"id":1},{"id":3}]"#, ""),
        Case(
            "one new id, two elements", "[]", #"[{"id":1,"a":1,"b":1}]"#, #"[{"id":1,"a":2,"c":1}]"#,
            is: #"[{"id":1,"a":2,"b":1,"c":1}]"#, "/0/a"),
        Case("ids in two of three arrays", "[1]", #"[{"id":1}]"#, #"[{"id":2}]"#, is: #"[{"id":2}]"#, ""),
    ])
    func `A merge has its value and its conflicts`(example: Case) throws {
        func version(_ text: String) throws -> JSONValue? { text.isEmpty ? nil : try json(text) }
        let merge = ThreeWayMerge(
            base: try version(example.base), mine: try version(example.mine), theirs: try version(example.theirs))
        #expect(merge.value == (try version(example.result)))
        #expect(merge.conflicts.map(\.path.description) == example.conflicts)
    }

    @Test func `A conflict has the three values and the identifiers`() throws {
        let merge = ThreeWayMerge(
            base: try json(#"{"l":[{"id":"x","a":1}]}"#), mine: try json(#"{"l":[{"id":"x"}]}"#),
            theirs: try json(#"{"l":[{"id":"y"},{"id":"x","a":3}]}"#))
        let path = JSONPointer(tokens: ["l", "1", "a"])
        #expect(
            merge.conflicts == [.init(isOfOrder: false, path: path, identifiers: ["x"], base: 1, mine: nil, theirs: 3)])
    }

    @Test func `A conflict of orders has the identifiers of all versions`() throws {
        let merge = ThreeWayMerge(
            base: try json(#"[{"id":1},{"id":2},{"id":3},{"id":4}]"#),
            mine: try json(#"[{"id":3},{"id":1},{"id":2},{"id":7}]"#),
            theirs: try json(#"[{"id":2},{"id":1},{"id":3},{"id":4}]"#))
        let expected = ThreeWayMerge.Conflict(
            isOfOrder: true, path: JSONPointer(), identifiers: [], base: [1, 2, 3], mine: [3, 1, 2], theirs: [2, 1, 3])
        #expect(merge.conflicts == [expected])
        #expect(merge.value?.elements?.compactMap { $0["id"] } == [2, 7, 1, 3])
    }

    @Test func `The preferred side decides conflicts only`() throws {
        let merge = ThreeWayMerge(
            base: try json(#"{"a":1,"b":1,"l":[{"id":1,"x":1},{"id":2},{"id":3}]}"#),
            mine: try json(#"{"a":2,"b":1,"l":[{"id":3},{"id":1,"x":2},{"id":2}]}"#),
            theirs: try json(#"{"a":3,"b":3,"l":[{"id":2},{"id":3}]}"#), preferring: .mine)
        #expect(merge.value == (try json(#"{"a":2,"b":3,"l":[{"id":3},{"id":1,"x":2},{"id":2}]}"#)))
        #expect(merge.conflicts.map(\.path.description) == ["/a", "/l/1"])
        let orders = ThreeWayMerge(
            base: try json(#"[{"id":1},{"id":2},{"id":3}]"#), mine: try json(#"[{"id":3},{"id":1},{"id":2}]"#),
            theirs: try json(#"[{"id":2},{"id":1},{"id":3}]"#), preferring: .mine)
        #expect(orders.value == (try json(#"[{"id":3},{"id":1},{"id":2}]"#)))
    }
}
