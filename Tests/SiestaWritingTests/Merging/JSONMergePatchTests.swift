import Foundation
import SiestaCore
import SiestaJSON
import SiestaWriting
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct JSONMergePatchTests {
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
        (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
        (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
        (#"{"a":"foo"}"#, #"null"#, #"null"#),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
        (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func `A patch of RFC 7396 appendix A has its result`(target: String, patch: String, result: String) throws {
        let (target, result) = (try json(target), try json(result))
        #expect(JSONMergePatch(try json(patch)).applied(to: target) == result)
        if let created = JSONMergePatch(from: target, to: result) {
            #expect(created.applied(to: target) == result)
        }
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":null}"#), (#"{}"#, #"{"a":null}"#), (#"1"#, #"{"a":{"b":null}}"#),
        (#"{"a":1}"#, #"{"a":{"b":null}}"#),
    ])
    func `A member that becomes null has no patch`(before: String, after: String) throws {
        #expect(JSONMergePatch(from: try json(before), to: try json(after)) == nil)
    }

    @Test(arguments: [
        (#"{"a":null,"b":1}"#, #"{"a":null,"b":2}"#, #"{"b":2}"#), (#"{"a":1}"#, #"{"a":1}"#, "{}"), ("[]", "{}", "{}"),
        (#"{"a":1,"b":{"c":1,"d":2}}"#, #"{"b":{"c":1}}"#, #"{"a":null,"b":{"d":null}}"#), ("1", "null", "null"),
        (#"{"a":1}"#, #"{"a":[null,{"b":null}]}"#, #"{"a":[null,{"b":null}]}"#),
        (#"{"a":[]}"#, #"{"a":{}}"#, #"{"a":{}}"#),
    ])
    func `A patch contains only the changes`(before: String, after: String, patch: String) throws {
        let created = try #require(JSONMergePatch(from: try json(before), to: try json(after)))
        #expect(created.value == (try json(patch)))
        #expect(created.applied(to: try json(before)) == (try json(after)))
    }

    @Test func `Random patches turn the former value into the latter`() {
        let count = TestLevel.count(200, nightly: 2_000)
        var created = 0
        for seed in TestSeed.cases(count) {
            var random = RandomJSON(seed: seed)
            let before = random.value(depth: 4)
            let after = random.edited(before)
            guard let patch = JSONMergePatch(from: before, to: after) else { continue }
            created += 1
            #expect(patch.applied(to: before) == after, "seed \(seed)")
        }
        #expect(created > count / 4)
    }
}

func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Data(text.utf8)) }
