import TestKit
import Testing

@testable import HTTPRules

/// Cookies as lines of text.
@Suite(.timeLimit(.test))
struct CookieLineTests {
    @Test(arguments: [
        "/", "/ck", "/ck/", "/ck//", "\"/ck\"", "\"/ck/\"", "\"/ck", "/ck\"", "/\"ck\"", "\"\"/ck\"\"", "", "foo",
        "TRUE", "FALSE",
        "\"", "\"\"", "\"/\"", "//", "/a\tb", "foo\tbar", "\u{301}", "/\u{301}", ".",
    ])
    func `A line that is written again is the same cookie for libcurl`(path: String) throws {
        let line = try #require(CookieLine("a.test\tFALSE\t\(path)\tTRUE\t12\tname\tvalue"))
        #expect(line.path.utf8.first == UInt8(ascii: "/"))
        #expect(!line.text.utf8.split(separator: 9, omittingEmptySubsequences: false).contains { $0.isEmpty })
        #expect(line.text.utf8.count { $0 == 9 } == 6)
        let again = try #require(CookieLine(line.text))
        #expect(again.text.hasSameBytes(as: line.text))
        #expect(again.hasDefaultPath == line.hasDefaultPath)
        #expect((line.domain, line.end, line.name, line.value) == ("a.test", 12, "name", "value"))
    }

    @Test(arguments: [[0x61], [0xE9], [0xC3, 0xA9], [0xFF, 0, 0x80], [0xE2, 0x80, 0xA8], []] as [[UInt8]])
    func `The bytes of a line can be made of its text`(bytes: [UInt8]) {
        #expect(CookieLine.bytes(of: CookieLine.text(of: bytes)) == bytes)
    }
}
