import Foundation
import SiestaCore
import SiestaJSON
import TestKit
import Testing

@testable import SiestaWriting

@Suite(.timeLimit(.test))
struct JSONPatchTests {
    @Test(arguments: [
        // Appendix A.1 to A.7.
        (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#, #"{"baz":"qux","foo":"bar"}"#),
        (#"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#, #"{"foo":["bar","qux","baz"]}"#),
        (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
        (#"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#, #"{"foo":["bar","baz"]}"#),
        (
            #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#,
            #"{"baz":"boo","foo":"bar"}"#
        ),
        (
            #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
            #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
            #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
        ),
        (
            #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
            #"{"foo":["all","cows","eat","grass"]}"#
        ),
        // A.8, A.10, A.11, A.14, A.16.
        (
            #"{"baz":"qux","foo":["a",2,"c"]}"#,
            #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
            #"{"baz":"qux","foo":["a",2,"c"]}"#
        ),
        (
            #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
            #"{"foo":"bar","child":{"grandchild":{}}}"#
        ),
        (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#, #"{"foo":"bar","baz":"qux"}"#),
        (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
        (
            #"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
            #"{"foo":["bar",["abc","def"]]}"#
        ),
        // Section 4.
        (#"{"a":1}"#, #"[{"op":"add","path":"","value":[]}]"#, "[]"),
        (#"{"a":1}"#, #"[{"op":"add","path":"/a","value":null}]"#, #"{"a":null}"#),
        (#"{"a":1}"#, #"[{"op":"replace","path":"","value":2}]"#, "2"),
        ("[1,2,3]", #"[{"op":"replace","path":"/2","value":4}]"#, "[1,2,4]"),
        (#"{"a":[1]}"#, #"[{"op":"copy","from":"/a","path":"/b"}]"#, #"{"a":[1],"b":[1]}"#),
        (#"{"a":[1]}"#, #"[{"op":"copy","from":"","path":"/a/0"}]"#, #"{"a":[{"a":[1]},1]}"#),
        (#"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
        (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":"/a"}]"#, #"{"a":1}"#),
        ("1", #"[{"op":"test","path":"","value":1.0}]"#, "1"), ("1", "[]", "1"),
    ])
    func `A patch has its result`(document: String, patch: String, result: String) throws {
        #expect(try JSONPatch(json(patch)).applied(to: json(document)) == json(result))
    }

    @Test(arguments: [
        // Appendix A.9, A.12, A.15; then sections 4 and 5.
        (#"{"baz":"qux"}"#, #"{"op":"test","path":"/baz","value":"bar"}"#, JSONPatch.Failure.Reason.testFailed),
        (#"{"foo":"bar"}"#, #"{"op":"add","path":"/baz/bat","value":"qux"}"#, .missingTarget),
        (#"{"/":9,"~1":10}"#, #"{"op":"test","path":"/~01","value":"10"}"#, .testFailed),
        ("[]", #"{"op":"add","path":"/1","value":1}"#, .missingTarget),
        ("[]", #"{"op":"add","path":"/a","value":1}"#, .missingTarget),
        ("[1]", #"{"op":"add","path":"/00","value":1}"#, .missingTarget),
        ("[1]", #"{"op":"remove","path":"/-"}"#, .missingTarget),
        ("[[1]]", #"{"op":"add","path":"/1/0","value":1}"#, .missingTarget),
        ("1", #"{"op":"add","path":"/a","value":1}"#, .missingTarget),
        ("{}", #"{"op":"remove","path":"/a"}"#, .missingTarget),
        ("{}", #"{"op":"replace","path":"/a","value":1}"#, .missingTarget),
        ("{}", #"{"op":"test","path":"/a","value":null}"#, .missingTarget),
        ("{}", #"{"op":"move","from":"/a","path":"/a"}"#, .missingTarget),
        ("{}", #"{"op":"copy","from":"/a","path":"/b"}"#, .missingTarget),
        (#"{"a":{}}"#, #"{"op":"move","from":"/a","path":"/a/b"}"#, .impossible),
        ("1", #"{"op":"remove","path":""}"#, .impossible),
    ])
    func `An impossible operation fails, and names itself`(
        document: String, operation: String, reason: JSONPatch.Failure.Reason
    ) throws {
        let patch = try JSONPatch(json(#"[{"op":"test","path":"","value":\#(document)},\#(operation)]"#))
        let failure = #expect(throws: JSONPatch.Failure.self) { try patch.applied(to: json(document)) }
        #expect(failure == .init(reason: reason, index: 1))
    }

    @Test(arguments: [
        "{}", "[1]", "[{}]", #"[{"op":"add","path":"/a"}]"#, #"[{"op":"move","path":"/a"}]"#,
        #"[{"op":"copy","path":"/a","from":1}]"#, #"[{"op":"spam","path":"/a","value":1}]"#,
        #"[{"op":"remove","path":"a"}]"#,
        #"[{"op":"test","path":"/a"}]"#, #"[{"path":"/a","value":1}]"#, #"[{"op":"replace","value":1}]"#,
    ])
    func `A value that is no patch throws`(text: String) {
        #expect(throws: JSONPatch.Failure.self) { try JSONPatch(json(text)) }
    }

    @Test func `Copies of copies are limited`() throws {
        let copy = #"{"op":"copy","from":"","path":"/a"}"#
        let patch = try JSONPatch(json("[" + Array(repeating: copy, count: 300).joined(separator: ",") + "]"))
        let failure = #expect(throws: JSONPatch.Failure.self) { try patch.applied(to: [:]) }
        #expect(failure?.reason == .tooLarge)
        let wide = try JSONPatch(
            json(
                "[" + Array(repeating: #"{"op":"copy","from":"","path":"/-"}"#, count: 60).joined(separator: ",") + "]")
        )
        #expect(throws: JSONPatch.Failure(reason: .tooLarge, index: 18)) { try wide.applied(to: [1]) }
    }

    // Each copy of the others is read once more, to count its escapes.
    @Test(
        arguments: ["a number"]
            + (TestLevel.current == .quick ? [] : ["a string", "a name", "control characters"]))
    func `Copies of long texts are limited`(_ kind: String) throws {
        let long = String(repeating: "1", count: 1 << 20)
        let content: JSONValue =
            switch kind {
            case "a string": .string(long)
            case "a name": .object([long: 1])
            case "control characters": .string(String(repeating: "\u{1}", count: 1 << 18))
            default: .number(try #require(JSONValue.Number(text: "0." + long)))
            }
        let patch = try repeated(#"{"op":"copy","from":"/0","path":"/-"}"#, 70)
        let failure = #expect(throws: JSONPatch.Failure.self) { try patch.applied(to: .array([content])) }
        #expect(failure?.reason == .tooLarge)
    }

    @Test func `Patches that are applied together share the limits of copies`() throws {
        let patch = try repeated(#"{"op":"copy","from":"/0","path":"/-"}"#, 40)
        var copies = JSONPatch.Copies()
        let long = try #require(JSONValue.Number(text: "0." + String(repeating: "1", count: 1 << 20)))
        let value = JSONValue.array([.number(long)])
        let once = try patch.applied(to: value, &copies)
        #expect(once.elements?.count == 41)
        #expect(throws: JSONPatch.Failure.self) { try patch.applied(to: once, &copies) }
    }

    private func repeated(_ operation: String, _ count: Int) throws -> JSONPatch {
        try JSONPatch(json("[" + Array(repeating: operation, count: count).joined(separator: ",") + "]"))
    }

    @Test(arguments: [
        #"{"op":"add","path":"/0","value":1}"#, #"{"op":"remove","path":"/0"}"#,
        #"{"op":"move","from":"/0","path":"/99999"}"#,
    ])
    func `Moves of the elements of a long array are limited`(operation: String) throws {
        let array = JSONValue.array(Array(repeating: .null, count: 100_000))
        let failure = try #require(throws: JSONPatch.Failure.self) {
            try repeated(operation, 1100).applied(to: array)
        }
        #expect(failure.reason == .tooLarge)
    }

    @Test func `Replacements in a long array move nothing`() throws {
        let array = JSONValue.array(Array(repeating: .null, count: 100_000))
        let patched = try repeated(#"{"op":"replace","path":"/0","value":1}"#, 1100).applied(to: array)
        #expect(patched.elements?.first == 1)
    }
}
