import TestKit
import Testing

@testable import HTTPRules

@Suite(.timeLimit(.test))
struct QueryTextTests {
    @Test(arguments: [
        ("/a", "/a?k=v"), ("/a?", "/a?k=v"), ("/a#k=1?k=2", "/a?k=v#k=1?k=2"), ("/a?k=1&k=2&b=3", "/a?b=3&k=v"),
        ("/a?K=1&kk&k", "/a?K=1&kk&k=v"), ("/a?%6B=1&b=%6B=", "/a?b=%6B=&k=v"), ("", "?k=v"), ("#", "?k=v#"),
        ("/a?&&b&", "/a?b&k=v"), ("/a?b?c=d", "/a?b?c=d&k=v"), ("/é?é", "/é?é&k=v"), ("?=1", "?=1&k=v"),
    ])
    func `An item is set once, at the end of the query`(url: String, changed: String) {
        #expect(QueryText.setting("k", to: "v", in: url) == changed)
        #expect(QueryText.setting("k", to: "v", in: changed) == changed)
    }

    @Test func `Name and value are escaped`() {
        #expect(QueryText.setting("a b", to: "&=#+%é", in: "/?a+b=1&a%20b=2") == "/?a%20b=%26%3D%23%2B%25%C3%A9")
    }

    @Test func `A combining mark is a part of a name or a value, not of the separator before it`() {
        let items = QueryText.items(of: "a=\u{301}b&\u{301}c=d")
        #expect(items.map(\.name) == ["a", "\u{301}c"])
        #expect(items.map(\.value) == ["\u{301}b", "d"])
    }

    @Test func `Items are decoded`() {
        let items = QueryText.items(of: "a=1&b&&c=%26+%2B=%zz%4&=x&%C3%A9=%FF")
        #expect(items.map(\.name) == ["a", "b", "c", "", "é"])
        #expect(items.map(\.value) == ["1", "", "& +=%zz%4", "x", "\u{FFFD}"])
    }
}
