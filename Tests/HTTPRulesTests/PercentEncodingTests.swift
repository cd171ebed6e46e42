import TestKit
import Testing

@testable import HTTPRules

@Suite(.timeLimit(.test))
struct PercentEncodingTests {
    private static let unreserved = "ABCXYZabcxyz0189-._~"

    @Test func `Unreserved characters are never escaped`() {
        let text = Self.unreserved
        #expect(PercentEncoding.escapePath(text[...]) == text)
        #expect(PercentEncoding.escapePattern(text[...], isAbsolute: true) == text)
        #expect(PercentEncoding.escapeQueryItem(text) == text)
        #expect(PercentEncoding.escapeFormItem(text) == text)
    }

    @Test(arguments: [
        ("/a/../b//c", "/a/../b//c"), ("http://x", "http://x"), ("?a=b", "%3Fa=b"), ("#", "%23"), ("%3F", "%253F"),
        (" ", "%20"), ("é", "%C3%A9"), ("😀", "%F0%9F%98%80"), ("[]", "%5B%5D"), ("a+b", "a+b"), ("\0\u{7F}", "%00%7F"),
        ("", ""),
    ])
    func `A path keeps what paths may hold and escapes the rest, percent signs too`(text: String, escaped: String) {
        #expect(PercentEncoding.escapePath(text[...]) == escaped)
    }

    @Test(arguments: [
        ("a&b=c#d", "a%26b%3Dc%23d"), ("a+b", "a%2Bb"), (" ", "%20"), (";/?:@'()*!$,", ";/?:@'()*!$,"), ("é", "%C3%A9"),
        ("%", "%25"), ("[]", "%5B%5D"),
    ])
    func `A part of a query escapes what separates parameters, and plus signs`(text: String, escaped: String) {
        #expect(PercentEncoding.escapeQueryItem(text) == escaped)
    }

    @Test(arguments: [
        ("a b", "a%20b"), ("!*'();:@&=+$,/?#[]", "%21%2A%27%28%29%3B%3A%40%26%3D%2B%24%2C%2F%3F%23%5B%5D"),
        ("ü", "%C3%BC"), ("%", "%25"),
    ])
    func `A part of a form escapes all but unreserved characters`(text: String, escaped: String) {
        #expect(PercentEncoding.escapeFormItem(text) == escaped)
    }

    @Test(arguments: [
        ("/*?/**", "/*?/**"), ("https://[::1]:80/%20#", "https://[::1]:80/%20#"), ("/ü {}", "/%C3%BC%20%7B%7D"),
    ])
    func `An absolute pattern escapes only what no URL can hold`(text: String, escaped: String) {
        #expect(PercentEncoding.escapePattern(text[...], isAbsolute: true) == escaped)
    }

    @Test(arguments: [("/*?/**%20", "/*?/**%20"), ("/tags[1]", "/tags%5B1%5D"), ("/a#b", "/a%23b")])
    func `A pattern of paths escapes what no path can hold`(text: String, escaped: String) {
        #expect(PercentEncoding.escapePattern(text[...], isAbsolute: false) == escaped)
    }
}
