import Foundation
import SiestaCore
import SiestaJSON
import SiestaWriting
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct JSONDeltaTests {
    /// The change from `before` to `after`, applied to `other`.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: String
        let after: String
        let other: String
        let result: String

        init(_ name: String, _ before: String, _ after: String, to other: String, is result: String) {
            (testDescription, self.before, self.after, self.other, self.result) = (name, before, after, other, result)
        }
    }

    @Test(arguments: [
        Case("a member is set", #"{"a":1}"#, #"{"a":2}"#, to: #"{"a":3,"b":1}"#, is: #"{"a":2,"b":1}"#),
        Case("a missing member is set", #"{"a":1}"#, #"{"a":2}"#, to: "{}", is: #"{"a":2}"#),
        Case("a missing member is not removed", #"{"a":1}"#, "{}", to: #"{"b":1}"#, is: #"{"b":1}"#),
        Case("a removal leaves a number alone", #"{"a":1}"#, "{}", to: "5", is: "5"),
        Case("a change makes an object", #"{"a":1}"#, #"{"a":2}"#, to: "5", is: #"{"a":2}"#),
        Case("a member becomes null", #"{"a":1}"#, #"{"a":null}"#, to: #"{"a":2}"#, is: #"{"a":null}"#),
        Case(
            "a deep member", #"{"a":{"b":1,"c":1}}"#, #"{"a":{"b":1}}"#, to: #"{"a":{"c":2,"d":1}}"#,
            is: #"{"a":{"d":1}}"#),
        Case("an added object", "{}", #"{"a":{"b":1}}"#, to: #"{"a":{"b":2,"c":3}}"#, is: #"{"a":{"b":1,"c":3}}"#),
        Case("an added value", "{}", #"{"a":[1]}"#, to: #"{"a":{"b":2}}"#, is: #"{"a":[1]}"#),
        Case("an array without ids", "[1,2]", "[2]", to: "[1,2,3]", is: "[2]"),
        Case(
            "a changed element", #"[{"id":1,"a":1}]"#, #"[{"id":1,"a":2}]"#, to: #"[{"id":2},{"id":1,"b":3}]"#,
            is: #"[{"id":2},{"id":1,"b":3,"a":2}]"#),
        Case(
            "a missing element is not changed", #"[{"id":1,"a":1}]"#, #"[{"id":1,"a":2}]"#, to: #"[{"id":2}]"#,
            is: #"[{"id":2}]"#),
        Case(
            "a removed element", #"[{"id":1},{"id":2}]"#, #"[{"id":2}]"#, to: #"[{"id":3},{"id":1}]"#,
            is: #"[{"id":3}]"#),
        Case(
            "an insert follows its predecessor", #"[{"id":1},{"id":2}]"#, #"[{"id":1},{"id":9},{"id":2}]"#,
            to: #"[{"id":2},{"id":1},{"id":3}]"#, is: #"[{"id":2},{"id":1},{"id":9},{"id":3}]"#),
        Case(
            "an insert precedes its successor", #"[{"id":1},{"id":2}]"#, #"[{"id":1},{"id":9},{"id":2}]"#,
            to: #"[{"id":3},{"id":2}]"#, is: #"[{"id":3},{"id":9},{"id":2}]"#),
        Case(
            "an insert before a successor at the start", #"[{"id":1},{"id":2}]"#, #"[{"id":1},{"id":9},{"id":2}]"#,
            to: #"[{"id":2}]"#, is: #"[{"id":9},{"id":2}]"#),
        Case(
            "an insert without neighbours is last", #"[{"id":1},{"id":2}]"#, #"[{"id":1},{"id":9},{"id":2}]"#,
            to: #"[{"id":3}]"#, is: #"[{"id":3},{"id":9}]"#),
        Case(
            "an insert at the start", #"[{"id":1}]"#, #"[{"id":9},{"id":1}]"#, to: #"[{"id":3},{"id":1}]"#,
            is: #"[{"id":9},{"id":3},{"id":1}]"#),
        Case(
            "inserts keep their order", "[]", #"[{"id":8},{"id":9}]"#, to: #"[{"id":3}]"#,
            is: #"[{"id":8},{"id":9},{"id":3}]"#),
        Case(
            "an insert that exists", "[]", #"[{"id":9,"a":1}]"#, to: #"[{"id":3},{"id":9,"b":1}]"#,
            is: #"[{"id":3},{"id":9,"a":1,"b":1}]"#),
        Case("an insert into nothing", "[]", #"[{"id":9}]"#, to: "null", is: #"[{"id":9}]"#),
        Case("a removal from nothing", #"[{"id":9}]"#, "[]", to: #"{"a":1}"#, is: #"{"a":1}"#),
        Case(
            "a move", #"[{"id":1},{"id":2},{"id":3}]"#, #"[{"id":3},{"id":1},{"id":2}]"#,
            to: #"[{"id":1,"a":1},{"id":4},{"id":3,"a":1}]"#, is: #"[{"id":3,"a":1},{"id":1,"a":1},{"id":4}]"#),
        Case(
            "a moved element that is missing", #"[{"id":1},{"id":2},{"id":3}]"#, #"[{"id":3},{"id":1},{"id":2}]"#,
            to: #"[{"id":1}]"#, is: #"[{"id":1}]"#),
        Case(
            "elements without ids stay", #"[{"id":1}]"#, #"[{"id":1},{"id":2}]"#,
            to: #"[5,{"id":1},{"id":1,"a":1},null]"#, is: #"[5,{"id":1},{"id":2},{"id":1,"a":1},null]"#),
        Case(
            "ids of two types", #"[{"id":1},{"id":"1"}]"#, #"[{"id":"1"}]"#, to: #"[{"id":1.0},{"id":"1"}]"#,
            is: #"[{"id":"1"}]"#),
        Case(
            "ids that are not distinct", #"[{"id":1},{"id":1}]"#, #"[{"id":1}]"#, to: #"[{"id":2}]"#, is: #"[{"id":1}]"#
        ),
        Case(
            "an id that is an object", #"[{"id":{}}]"#, #"[{"id":{},"a":1}]"#, to: #"[{"id":2}]"#,
            is: #"[{"id":{},"a":1}]"#),
    ])
    func `A delta applies to another value`(example: Case) throws {
        let (before, after) = (try json(example.before), try json(example.after))
        let delta = JSONDelta(from: before, to: after)
        #expect(delta.applied(to: try json(example.other)) == (try json(example.result)))
        #expect(delta.applied(to: before) == after)
        #expect(try JSONDelta(parsing: delta.data) == delta)
    }

    @Test func `A delta contains only the changes`() throws {
        let before = try json(#"{"a":{"b":1,"c":2},"list":[{"id":1,"x":1},{"id":2},{"id":3}]}"#)
        let after = try json(#"{"a":{"b":1},"list":[{"id":3},{"id":1,"x":2},{"id":4}],"n":{"k":null}}"#)
        let stored = String(decoding: JSONDelta(from: before, to: after).data, as: UTF8.self)
        #expect(
            stored == #"[1,["m",{"a":["m",{"c":["-"]}],"list":["e","id",[2],[[1,["m",{"x":["=",2]}]]],"#
                + #"[[3,[],[1]],[4,[1],[],{"id":4}]]],"n":["+",{"k":null}]}]]"#)
        #expect(JSONDelta(from: before, to: before).isEmpty)
        #expect(JSONDelta(from: before, to: before).data == Data("[1]".utf8))
    }

    @Test(arguments: [
        "", "{}", "[]", "[2]", #"["1"]"#, "[1,1]", #"[1,["?"]]"#, #"[1,["="]]"#, #"[1,["=",1,2]]"#, #"[1,["m",[]]]"#,
        #"[1,["m",{"a":1}]]"#, #"[1,["e","id",[],[]]]"#, #"[1,["e",1,[],[],[]]]"#, #"[1,["e","id",[],[[1]],[]]]"#,
        #"[1,["e","id",[],[],[[1]]]]"#, #"[1,["e","id",[],[[1,["-"]],[1,["-"]]],[]]]"#, #"[1,["-"],["-"]]"#,
        #"[1,["e","id",[],[],[[1,[],[],{}],[1,[],[],{}]]]]"#,
    ])
    func `A stored form that is no delta throws`(text: String) {
        #expect(throws: (any Error).self) { try JSONDelta(parsing: Data(text.utf8)) }
    }

    @Test func `Paths choose the identifiers`() throws {
        let ids = JSONIdentifiers("id", at: ["/a/*/lines": "sku", "/a/*/*": "other", "/b": "name", "bad": "x"])
        let before = try json(
            #"{"a":[{"id":1,"lines":[{"sku":1},{"sku":2}]}],"b":[{"name":"x","v":1}],"c":[{"name":"x"}]}"#)
        let after = try json(
            #"{"a":[{"id":1,"lines":[{"sku":2},{"sku":3}]}],"b":[{"name":"x","v":2}],"c":[{"name":"y"}]}"#)
        let delta = JSONDelta(from: before, to: after, ids: ids)
        let other = try json(#"{"a":[{"id":1,"lines":[{"sku":9},{"sku":2}]}],"b":[{"name":"z"},{"name":"x"}],"c":[]}"#)
        let result = try json(
            #"{"a":[{"id":1,"lines":[{"sku":9},{"sku":2},{"sku":3}]}],"b":[{"name":"z"},{"name":"x","v":2}],"c":[{"name":"y"}]}"#
        )
        #expect(delta.applied(to: other) == result)
        let whole = JSONDelta(from: ["a": [["id": 1]]], to: ["a": [["id": 2]]], ids: JSONIdentifiers(nil))
        #expect(whole.applied(to: ["a": [["id": 3]]]) == ["a": [["id": 2]]])
    }

    @Test func `A delta of the deepest values survives its stored form`() throws {
        func nested(_ end: JSONValue) -> JSONValue {
            (0..<JSONValue.maximumDepth / 2).reduce(end) { value, _ in [["id": 1, "a": value]] }
        }
        let (before, after) = (nested(1), nested(2))
        #expect(after.depth == JSONValue.maximumDepth)
        let delta = JSONDelta(from: before, to: after)
        #expect(delta.applied(to: before) == after)
        #expect(try JSONDelta(parsing: delta.data) == delta)
        #expect(throws: Never.self) {
            try JSONValue(parsing: delta.data, maximumDepth: 3 * JSONDelta.depthLimit + JSONValue.maximumDepth + 8)
        }
    }

    @Test func `Random deltas turn the former value into the latter`() throws {
        for seed in TestSeed.cases(TestLevel.count(200, nightly: 2_000)) {
            var random = RandomJSON(seed: seed)
            let before = random.value(depth: 4)
            let after = seed % 4 == 0 ? random.value(depth: 4) : random.edited(before)
            let delta = JSONDelta(from: before, to: after)
            #expect(delta.applied(to: before) == after, "seed \(seed)")
            #expect(delta.applied(to: after) == after, "seed \(seed)")
            #expect(delta.isEmpty == (before == after), "seed \(seed)")
            #expect(try JSONDelta(parsing: delta.data) == delta, "seed \(seed)")
            _ = delta.applied(to: random.value(depth: 4))
        }
    }
}
