import Foundation
import SiestaCore
import SiestaJSON
import SiestaWriting
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct JSONPointerTests {
    /// The document of RFC 6901 §5.
    private static let document: JSONValue = [
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
    ]

    @Test(
        arguments: [
            ("", document), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2),
            ("/e^f", 3),
            ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
        ] as [(String, JSONValue)])
    func `A pointer of RFC 6901 §5 finds its value`(text: String, value: JSONValue) throws {
        let pointer = try #require(JSONPointer(text))
        #expect(Self.document[pointer] == value)
        #expect(pointer.description == text)
    }

    @Test(arguments: [
        "/foo/2", "/foo/-", "/foo/01", "/foo/+1", "/foo/", "/foo/bar", "/none", "/a~1b/0", "/foo/99999999999999999999",
    ])
    func `A pointer to a missing value finds nothing`(text: String) throws {
        #expect(Self.document[try #require(JSONPointer(text))] == nil)
    }

    @Test(arguments: ["foo", "#/foo", "/~", "/~2", "/a~/b", " /a"])
    func `A text that is no pointer is rejected`(text: String) {
        #expect(JSONPointer(text) == nil)
    }

    @Test func `Escaped characters are read once`() {
        #expect(JSONPointer("/~01")?.tokens == ["~1"])
        #expect(JSONPointer(tokens: ["~1", "/", ""]).description == "/~01/~1/")
        #expect(JSONPointer("//")?.tokens == ["", ""])
    }
}
