import TestKit
import Testing

@testable import SiestaCore

@Suite(.timeLimit(.test))
struct URLWildcardTests {
    private static let base = "http://base.test/api/"

    // MARK: Relative patterns

    @Test(arguments: [
        ("/user", "user"), ("user", "user"), ("", ""), ("/", ""),
        ("*", ""), ("*", "x"), ("/*", "hither"), ("/*", ".x-y"), ("user/*", "user/"), ("user/*", "user/1"),
        ("user/*/posts", "user/1/posts"), ("user/*/posts", "user//posts"), ("a*c", "ac"), ("a*c", "abc"),
        ("a*c", "acbc"),
        ("*.json", "x.json"), ("*a*b*", "xaxxbx"), ("***", "a/b"),
        ("**", ""), ("**", "x"), ("**", "x/y/z/"), ("a/**", "a/"), ("a/**", "a/b/c"), ("a**", "a"), ("a**", "a/b"),
        ("a/**/b", "a/b"), ("a/**/b", "a/x/b"), ("a/**/b", "a/x/y/b"), ("a/**/b", "a//b"), ("/**/b", "b"),
        ("/**/b", "a/b"), ("a/**/", "a/"), ("a/**/", "a/b/"), ("a/**/b/**/c", "a/b/c"), ("a/**/b/**/c", "a/1/b/2/3/c"),
        ("a/**/**/b", "a/b"), ("a/**/*.txt", "a/b/c.txt"), ("a/**/*.txt", "a/c.txt"),
        ("?", "x"), ("a?c", "abc"), ("/x/?*", "x/y"), ("/x/?*", "x/yz"), ("??", "ab"), ("a/?/c", "a/b/c"),
        ("a b", "a%20b"), ("é*", "%C3%A9t%C3%A9"), ("a.b", "a.b"), ("a+(b)$", "a+(b)$"),
    ])
    func `A relative pattern matches`(pattern: String, path: String) {
        #expect(URLWildcard(pattern, relativeTo: Self.base).matches(Self.base + path))
    }

    @Test(arguments: [
        ("/user", "users"), ("/user", "user/"), ("/user", "x/user"), ("user", "User"), ("", "x"),
        ("/*", "hither/"), ("/*", "hither/thither"), ("user/*", "user"), ("user/*", "user/1/2"), ("user/*", "user/1/"),
        ("a*c", "ab/c"), ("a*c", "abcd"), ("a*c", "bac"), ("*.json", "xjson"), ("*.json", "x/y.json"),
        ("a/**", "a"), ("a/**", "b/a/c"), ("a/**/b", "ab"), ("a/**/b", "a/xb"), ("a/**/b", "a/x/b/c"),
        ("a/**/b/**/c", "a/c/b"), ("a/**/", "a/b"),
        ("?", ""), ("?", "xy"), ("?", "/"), ("a?c", "a/c"), ("a?c", "ac"), ("/x/?*", "x/"), ("/x/?*", "x"),
        ("/x/?*", "x/y/"),
        ("a.b", "axb"), ("a+", "aa"), ("[ab]", "a"), ("(a|b)", "a"), ("\\w", "a"),
    ])
    func `A relative pattern does not match`(pattern: String, path: String) {
        #expect(!URLWildcard(pattern, relativeTo: Self.base).matches(Self.base + path))
    }

    @Test(arguments: ["", "?", "?a=b", "?a/b=c/d", "?/", "#fragment", "?a#b"])
    func `Query and fragment of the URL are ignored`(suffix: String) {
        #expect(URLWildcard("x/*", relativeTo: Self.base).matches(Self.base + "x/y" + suffix))
        #expect(URLWildcard("x/**", relativeTo: Self.base).matches(Self.base + "x/y" + suffix))
        #expect(!URLWildcard("x/?*", relativeTo: Self.base).matches(Self.base + "x/" + suffix))
        #expect(!URLWildcard("x", relativeTo: Self.base).matches(Self.base + "x/y" + suffix))
    }

    @Test(arguments: ["http://base.test/api/?key=value", "http://base.test/api/#fragment"])
    func `Query and fragment of the base are ignored`(base: String) {
        #expect(URLWildcard("/x", relativeTo: base).matches("http://base.test/api/x?key=value"))
        #expect(URLWildcard("/x", relativeTo: base).matches("http://base.test/api/x"))
        #expect(!URLWildcard("/x", relativeTo: base).matches("http://base.test/api/y?key=value"))
    }

    @Test func `Characters of the base stand for themselves`() {
        let base = "http://base.test/a*b/"
        #expect(URLWildcard("x", relativeTo: base).matches("http://base.test/a*b/x"))
        #expect(!URLWildcard("x", relativeTo: base).matches("http://base.test/aab/x"))
    }

    @Test func `A relative pattern does not match below another base`() {
        #expect(!URLWildcard("**", relativeTo: Self.base).matches("https://base.test/api/x"))
        #expect(!URLWildcard("**", relativeTo: Self.base).matches("http://other.test/api/x"))
        #expect(!URLWildcard("**", relativeTo: Self.base).matches("http://base.test/ap"))
    }

    // MARK: Absolute patterns

    @Test(arguments: [
        ("https://foo.test/**", "https://foo.test/a/b"), ("https://*.test/x", "https://foo.bar.test/x"),
        ("https://*:8080/**", "https://foo.test:8080/a"), ("https://foo.com:*/**", "https://foo.com:99/"),
        ("h2+x-1.y:**", "h2+x-1.y:z"), ("file:///**", "file:///a/b"),
        ("https://[::1]/x", "https://[::1]/x"), ("HTTPS://foo.test/x", "HTTPS://foo.test/x"),
    ])
    func `A pattern that begins with a scheme matches whatever the base`(pattern: String, url: String) {
        #expect(URLWildcard(pattern, relativeTo: Self.base).matches(url))
        #expect(URLWildcard(pattern, relativeTo: nil).matches(url))
    }

    @Test(arguments: [
        ("https://foo.test/*", "https://foo.test/a/b"), ("https://*:8080/**", "https://foo.test/a"),
        ("https://*:8080/**", "https://foo.test/:8080/a"), ("https://foo.com:*/**", "https://foo.com/a"),
        ("https://*.test/x", "https://foo/bar.test/x"), ("https:*", "http://foo.test"),
    ])
    func `A pattern that begins with a scheme does not match`(pattern: String, url: String) {
        #expect(!URLWildcard(pattern, relativeTo: Self.base).matches(url))
        #expect(!URLWildcard(pattern, relativeTo: nil).matches(url))
    }

    @Test(arguments: ["x:y", "a1+.-:b"])
    func `What begins like a scheme is not relative`(pattern: String) {
        #expect(!URLWildcard(pattern, relativeTo: Self.base).matches(Self.base + pattern))
    }

    @Test(arguments: ["/x:y", "1x:y", "x/y:z", ":x", "*:x"])
    func `A colon that does not end a scheme does not make a pattern absolute`(pattern: String) {
        let path = pattern.hasPrefix("/") ? String(pattern.dropFirst()) : pattern
        #expect(URLWildcard(pattern, relativeTo: Self.base).matches(Self.base + path))
    }

    @Test func `Without a base every pattern is for the whole URL`() {
        #expect(URLWildcard("**", relativeTo: nil).matches("http://any.test/a/b"))
        #expect(URLWildcard("*://*/x", relativeTo: nil).matches("ftp://any.test/x"))
        #expect(!URLWildcard("/x", relativeTo: nil).matches("http://any.test/x"))
        #expect(!URLWildcard("x", relativeTo: nil).matches("http://any.test/x"))
    }

    // MARK: Adversaries

    @Test(arguments: [
        "*a*a*a*a*a*a*a*a*a*a*b", "**a**a**a**a**a**a**a**a**b", "**/a**/a**/a**/a**/b", "?*?*?*?*?*?*?*b",
    ])
    func `Patterns full of wildcards take no more than pattern × URL steps`(pattern: String) {
        let url = Self.base + String(repeating: "a", count: 20_000)
        #expect(!URLWildcard(pattern, relativeTo: Self.base).matches(url))
    }

    @Test func `Long URLs match`() {
        let long = String(repeating: "a/", count: 50_000)
        #expect(URLWildcard("**/b", relativeTo: Self.base).matches(Self.base + long + "b"))
        #expect(URLWildcard("/**", relativeTo: Self.base).matches(Self.base + long))
        #expect(!URLWildcard("/*", relativeTo: Self.base).matches(Self.base + long))
    }

    @Test func `Long patterns match`() {
        let long = String(repeating: "a/?/", count: 500)
        #expect(URLWildcard(long, relativeTo: Self.base).matches(Self.base + String(repeating: "a/b/", count: 500)))
    }

    @Test func `A URL shorter than the base is no match and no crash`() {
        #expect(!URLWildcard("x", relativeTo: Self.base).matches(""))
        #expect(!URLWildcard("", relativeTo: Self.base).matches("h"))
        #expect(URLWildcard("", relativeTo: nil).matches(""))
    }
}
