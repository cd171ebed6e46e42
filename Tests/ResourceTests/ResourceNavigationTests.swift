import Foundation
import SiestaCore
import SiestaTesting
import TestKit
import Testing

@MainActor @Suite(.timeLimit(.test))
struct ResourceNavigationTests {
    private let service = Service(baseURL: "https://h.test/api", networking: StubNetwork())

    private func resource(_ url: String) -> Resource { service.resource(absoluteURL: url) }

    // MARK: child

    @Test(arguments: [
        ("https://h.test/a", "b", "https://h.test/a/b"),
        ("https://h.test/a/", "b", "https://h.test/a/b"),
        ("https://h.test/a", "/b", "https://h.test/a/b"),
        ("https://h.test/a/", "/b", "https://h.test/a/b"),
        ("https://h.test/a", "b/", "https://h.test/a/b/"),
        ("https://h.test/a", "b/c/d", "https://h.test/a/b/c/d"),
        ("https://h.test/a", "", "https://h.test/a/"),
        ("https://h.test/a/", "", "https://h.test/a/"),
        ("https://h.test", "b", "https://h.test/b"),
        ("https://h.test/a", "./b", "https://h.test/a/./b"),
        ("https://h.test/a", "./././b", "https://h.test/a/./././b"),
        ("https://h.test/a", "../b", "https://h.test/a/../b"),
        ("https://h.test/a", "//other.test/b", "https://h.test/a//other.test/b"),
        ("https://h.test/a", "ftp://other.test/b", "https://h.test/a/ftp://other.test/b"),
        ("https://h.test/a", "?b=c", "https://h.test/a/%3Fb=c"),
        ("https://h.test/a", "b c", "https://h.test/a/b%20c"),
        ("https://h.test/a", "%3F", "https://h.test/a/%253F"),
        ("https://h.test/a", "höhe/日", "https://h.test/a/h%C3%B6he/%E6%97%A5"),
        ("https://h.test/a?q=1", "b", "https://h.test/a/b?q=1"),
    ])
    func `A child is the path appended, whatever it looks like`(_ base: String, _ path: String, _ result: String) {
        let child = resource(base).child(path)
        #expect(child.url.absoluteString == result)
        #expect(child === resource(result))
    }

    // MARK: relative

    /// All examples of RFC 3986 §5.4.1.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"),
    ])
    func `A relative reference resolves as RFC 3986 §5.4.1 says`(_ reference: String, _ result: String) {
        #expect(resource("http://a/b/c/d;p?q").relative(reference).url.absoluteString == result)
    }

    /// All examples of RFC 3986 §5.4.2.
    @Test(arguments: [
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
        ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"),
        ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
        ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
        ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
    ])
    func `An abnormal relative reference resolves as RFC 3986 §5.4.2 says`(_ reference: String, _ result: String) {
        #expect(resource("http://a/b/c/d;p?q").relative(reference).url.absoluteString == result)
    }

    @Test(arguments: [
        ("https://h.test/a/b", "./c", "https://h.test/a/c"),
        ("https://h.test/a/b", "././././c", "https://h.test/a/c"),
        ("https://h.test/a/b/", "c", "https://h.test/a/b/c"),
        ("https://h.test/a/b", "../c", "https://h.test/c"),
        ("https://h.test/a/b", "//other.test/c", "https://other.test/c"),
        ("https://h.test/a/b", "ftp://other.test/c", "ftp://other.test/c"),
        ("https://h.test/a/b?c", "?d=e", "https://h.test/a/b?d=e"),
        ("https://h.test/a/b", "c d", "https://h.test/a/c%20d"),
        ("https://h.test", "c", "https://h.test/c"),
        ("https://h.test/a/b", "/q?f[a]=x%20y", "https://h.test/q?f%5Ba%5D=x%20y"),
        ("https://h.test/a/b", "/a%2Fb|c", "https://h.test/a%2Fb%7Cc"),
        ("https://h.test/a/b", "?u=100%&v=%20", "https://h.test/a/b?u=100%25&v=%20"),
        ("https://h.test/a%2Fb|c/d", "e%20[", "https://h.test/a%2Fb%7Cc/e%20%5B"),
    ])
    func `A relative reference leads to where a link in a page would`(
        _ base: String, _ reference: String, _ result: String
    ) {
        #expect(resource(base).relative(reference).url.absoluteString == result)
        #expect(resource(base).relative(reference) === resource(result))
    }

    @Test(arguments: ["\u{0}", "http://["])
    func `A reference that is no URL leads to a resource whose requests have failed`(_ reference: String) async {
        let request = resource("https://h.test/a").relative(reference).load()
        #expect(request.state == .completed)
        let info = await request.completion()
        guard case .failure(let error) = info.response else { return #expect(Bool(false), "succeeded") }
        let cause = error.cause as? RequestError.Cause.InvalidURL
        #expect(cause?.urlSource as? String == reference)
    }

    @Test func `An optional reference leads where it would without the optional, and nil to nil`() {
        let base = resource("https://h.test/a/b")
        #expect(base.optionalRelative("c") === base.relative("c"))
        #expect(base.optionalRelative(nil) == nil)
    }

    // MARK: Parameters

    @Test(
        arguments: [
            ("https://h.test/a", "foo", "bar", "https://h.test/a?foo=bar"),
            ("https://h.test/a?z=1", "foo", "bar", "https://h.test/a?foo=bar&z=1"),
            ("https://h.test/a?foo=1&z=2", "foo", "bar", "https://h.test/a?foo=bar&z=2"),
            ("https://h.test/a?foo=1&z=2", "foo", nil, "https://h.test/a?z=2"),
            ("https://h.test/a?foo=1", "foo", nil, "https://h.test/a"),
            ("https://h.test/a", "foo", nil, "https://h.test/a"),
            ("https://h.test/a", "foo", "", "https://h.test/a?foo"),
            ("https://h.test/a?foo=1", "foo", "", "https://h.test/a?foo"),
            ("https://h.test/a?foo", "bar", "1", "https://h.test/a?bar=1&foo"),
            ("https://h.test/a", "fo=o", "ba r+baz&?", "https://h.test/a?fo%3Do=ba%20r%2Bbaz%26?"),
            ("https://h.test/a", "f#", "ü\u{0}", "https://h.test/a?f%23=%C3%BC%00"),
            ("https://h.test/a?x=%26%3D%2B", "y", "1", "https://h.test/a?x=%26%3D%2B&y=1"),
        ] as [(String, String, String?, String)])
    func `A parameter is added, replaced or removed, sorted by name`(
        _ base: String, _ name: String, _ value: String?, _ result: String
    ) {
        #expect(resource(base).withParam(name, value).url.absoluteString == result)
        #expect(resource(base).withParam(name, value) === resource(result))
    }

    @Test func `Several parameters are set and removed at once`() {
        let base = resource("https://h.test/a?b=1&c=2&d=3")
        #expect(base.withParams(["c": nil, "d": "4", "a": ""]).url.absoluteString == "https://h.test/a?a&b=1&d=4")
        #expect(base.withParams([:]) === base)
        #expect(base.withParams(["b": nil, "c": nil, "d": nil]).url.absoluteString == "https://h.test/a")
    }

    @Test func `The order in which parameters are set makes no difference`() {
        let base = resource("https://h.test/a")
        #expect(base.withParam("x", "1").withParam("a", "2") === base.withParam("a", "2").withParam("x", "1"))
        #expect(base.withParam("x", "1").withParam("x", nil) === base)
    }

    @Test func `Navigation from an invalid resource stays there`() {
        let invalid = service.resource(absoluteURL: nil)
        for other in [invalid.child("x"), invalid.relative("x"), invalid.withParam("a", "b")] {
            #expect(other.load().state == .completed)
        }
    }

    @Test func `Navigation computes no configuration`() {
        var count = 0
        service.configure("**") { _ in count += 1 }
        let child = service.resource("/a").child("b").relative("../c").withParam("d", "e")
        #expect(count == 0)
        _ = child.configuration
        #expect(count == 1)
    }
}
