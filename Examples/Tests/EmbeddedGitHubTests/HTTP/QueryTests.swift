import TestKit
import Testing

@testable import EmbeddedGitHub

@Suite("A query is decoded, changed and written again", .timeLimit(.test))
struct QueryTests {
    @Test(
        "with names and values as they are meant",
        arguments: [
            ("q=a+b", "a b"), ("q=a%2Bb", "a+b"), ("q=%E6%9F%9A", "柚"), ("q=1&q=2", "2"), ("q", ""),
            ("x=1&&q=%26", "&"),
            ("q=a=b", "a=b"),
        ])
    func decoding(text: String, value: String) {
        #expect(Query(encoded: text)?["q"] == value)
    }

    @Test("unless an escape is malformed", arguments: ["q=%", "q=%1", "q=%GG", "%FF=1"])
    func malformed(text: String) {
        #expect(Query(encoded: text) == nil)
    }

    @Test("with one parameter replaced where it stood")
    func replacing() {
        let query = Query(encoded: "a=%201&page=2&b=%E6%9F%9A")
        #expect(query?.replacing("page", with: "3").encoded == "a=%201&page=3&b=%E6%9F%9A")
        #expect(query?.replacing("c", with: "&").encoded == "a=%201&page=2&b=%E6%9F%9A&c=%26")
        #expect(Query(encoded: "page=1&a=1&page=2")?.replacing("page", with: "9").encoded == "page=9&a=1")
    }
}
