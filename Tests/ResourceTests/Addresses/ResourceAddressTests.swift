import TestKit
import Testing

@testable import SiestaCore

@Suite(.timeLimit(.test))
struct ResourceAddressTests {
    @Test(arguments: [
        ("http://h", "x", "http://h/x"),
        ("http://h/", "x", "http://h/x"),
        ("http://h/b", "x", "http://h/b/x"),
        ("http://h/b/", "/x", "http://h/b/x"),
        ("http://h/b/", "//x", "http://h/b//x"),
        ("http://h/b", "", "http://h/b/"),
        ("http://h/b", "/", "http://h/b/"),
        ("http://h/b?q=1", "x", "http://h/b/x?q=1"),
        ("http://h/b?q=1#f", "x/y", "http://h/b/x/y?q=1#f"),
        ("http://h/b#f?g", "x", "http://h/b/x#f?g"),
        ("http://h/b?q=a/b?c", "x", "http://h/b/x?q=a/b?c"),
        ("http://h/%2F", "%2F", "http://h/%2F/%252F"),
        ("http://h/b", "a?b#c d", "http://h/b/a%3Fb%23c%20d"),
        ("http://h/b", "ü/😀", "http://h/b/%C3%BC/%F0%9F%98%80"),
        ("http://h/b", "a:b@c;d=e&f+g,h'(i)*!$", "http://h/b/a:b@c;d=e&f+g,h'(i)*!$"),
        ("http://h/b", "[x]\"<>\\^`{|}", "http://h/b/%5Bx%5D%22%3C%3E%5C%5E%60%7B%7C%7D"),
    ])
    func `A path is appended with one slash, its meaningless characters kept and its impossible ones escaped`(
        _ base: String, _ path: String, _ result: String
    ) {
        #expect(ResourceAddress(base).appending(path: path) == result)
    }

    @Test func `Names of parameters are compared byte by byte`() {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        let one = ResourceAddress("http://h/b").setting([composed: "1"])
        #expect(ResourceAddress(one).setting([decomposed: nil]) == one)
        #expect(ResourceAddress(one).setting([decomposed: "2"]) == "http://h/b?%C3%A9=1&e%CC%81=2")
        #expect(ResourceAddress(one).setting([composed: nil]) == "http://h/b")
    }

    @Test(
        arguments: [
            ("http://h/b", ["a": "1"], "http://h/b?a=1"),
            ("http://h/b?z=1&a=2", ["m": "3"], "http://h/b?a=2&m=3&z=1"),
            ("http://h/b?a=1", ["a": nil], "http://h/b"),
            ("http://h/b?a=1#f", ["a": nil], "http://h/b#f"),
            ("http://h/b?a=1&b=2", ["a": "", "b": nil], "http://h/b?a"),
            ("http://h/b?", [:], "http://h/b"),
            ("http://h/b?a=x%20y+z", [:], "http://h/b?a=x%20y%2Bz"),
            ("http://h/b?a&a=2&a=1", ["b": "3"], "http://h/b?a&a=2&a=1&b=3"),
            ("http://h/b?a&a=2&a=1", ["a": "3"], "http://h/b?a=3"),
            ("http://h/b?%61=1", ["a": "2"], "http://h/b?a=2"),
            ("http://h/b", ["a b": "c=d&e#f+g"], "http://h/b?a%20b=c%3Dd%26e%23f%2Bg"),
            ("http://h/b", ["ü": "/?:@;"], "http://h/b?%C3%BC=/?:@;"),
            ("http://h/b?c=d=e", ["a": "1"], "http://h/b?a=1&c=d=e"),
        ] as [(String, [String: String?], String)])
    func `Query parameters are set, removed and sorted; others keep their values`(
        _ base: String, _ params: [String: String?], _ result: String
    ) {
        #expect(ResourceAddress(base).setting(params) == result)
    }

    @Test func `Characters of several scalars do not hide the end of a path`() {
        #expect(ResourceAddress("http://h/b?\u{301}=1").appending(path: "x") == "http://h/b/x?\u{301}=1")
    }

    @Test func `Names of parameters with many combining marks are set and sorted in linear time`() {
        let growth = Growth(of: 1_000) { count in
            let marks = ["%CC%81%CC%A3", "%CC%A3%CC%81"].map { String(repeating: $0, count: count) }
            return "http://h/b?a\(marks[0])=1&a\(marks[1])=2"
        } _: { url in
            #expect(ResourceAddress(url).setting(["c": "3"]).hasSuffix("&c=3"))
        }
        #expect(growth.isBounded, "\(growth)")
    }
}
