import Foundation
import HTTPRules
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct URLReferenceTests {
    @Test(arguments: [
        ("/q?f[a]=x%20y", "/q?f%5Ba%5D=x%20y"), ("/echo/a%2Fb|c", "/echo/a%2Fb%7Cc"),
        ("/echo/café%20x", "/echo/caf%C3%A9%20x"), ("?u=100%&v=%20", "?u=100%25&v=%20"),
        ("%", "%25"), ("%2", "%252"), ("%%20", "%25%20"), ("%2%20", "%252%20"), ("%zz%2F", "%25zz%2F"),
        ("/a?b#c[%20", "/a?b#c%5B%20"), ("#a#b%20", "#a%23b%20"),
        ("/x?a=\"<>\\^`{|}%7B", "/x?a=%22%3C%3E%5C%5E%60%7B%7C%7D%7B"),
        ("e\u{301}😀%cc", "e%CC%81%F0%9F%98%80%cc"), ("a\u{A0}b%20", "a%C2%A0b%20"),
        ("mailto:a b%20c", "mailto:a%20b%20c"), ("urn:a:b c%20", "urn:a:b%20c%20"), ("./1a:b c", "./1a:b%20c"),
        ("ada@h.test:a[%20", "ada@h.test:a%5B%20"), ("a[1]:b%20:c", "a%5B1%5D%3Ab%20%3Ac"), ("@://[%20", "@://%5B%20"),
    ])
    func `Only illegal characters are escaped`(text: String, escaped: String) {
        #expect(URLReference.escaped(text) == escaped)
        #expect(URL(reference: text)?.absoluteString == escaped)
    }

    @Test(arguments: [
        "http://[::1]:80/x", "http://u:p@[fe80::1%25eth0]/?[", "//[v1.x]/[", "http://h@[::1]:1", "http://[::1]?[#[",
    ])
    func `The brackets of an address in the host stay`(text: String) throws {
        let escaped = URLReference.escaped(text)
        let host = try #require(text.firstRange(of: #/\[[^\]]*\]/#)).lowerBound
        #expect(escaped.hasPrefix(text[...host]))
        #expect(escaped.split(separator: "[").count == 2, "\(escaped)")
        #expect(URL(reference: text)?.absoluteString == escaped)
    }

    @Test(arguments: [
        ("http://a@b@c/", "http://a%40b@c/"), ("http://u%40[:p^%3A@h/", "http://u%40%5B:p%5E%3A@h/"),
        ("http://h\\@x/%20", "http://h%5C@x/%20"), ("http://h/a@b", "http://h/a@b"), ("//u|@h?@", "//u%7C@h?@"),
    ])
    func `The user info is escaped as other parts are, and ends with the last at sign`(text: String, url: String) {
        #expect(URL(reference: text)?.absoluteString == url)
    }

    @Test(arguments: [
        ("http://bücher.test/%20é", "http://xn--bcher-kva.test/%20%C3%A9"),
        ("http://b%C3%BCcher.test/|%20", "http://b%C3%BCcher.test/%7C%20"),
        ("http://ｈｏｓｔ/%20[", "http://host/%20%5B"),
        ("HTTP://EXAMPLE.test:8080/%41 ", "HTTP://EXAMPLE.test:8080/%41%20"),
    ])
    func `The host is left to Foundation`(text: String, url: String) {
        #expect(URL(reference: text)?.absoluteString == url)
    }

    @Test(arguments: [
        "", "\0", "127.0.0.1:80/x", "http://h/\n", "a\tb", "\u{7F}", "http://[", "http://h:port/", "http://a b/",
        "http://h%zz/", "http://h\\x/",
        "1a:b", "é:b", " http://h/",
    ])
    func `Text that is no URL stays none`(text: String) {
        #expect(URL(reference: text) == nil)
        #expect(URL(reference: text.isEmpty ? "http://[" : text, relativeTo: URL(string: "http://a.test/")) == nil)
    }

    @Test(arguments: [
        ("x[%20", "http://a.test/b/x%5B%20"), ("?%2B|", "http://a.test/b/c%2Fd?%2B%7C"),
        ("#%20[", "http://a.test/b/c%2Fd?q=%20#%20%5B"),
        ("//h/%20[", "http://h/%20%5B"), ("../%2E%2E/[", "http://a.test/%2E%2E/%5B"),
    ])
    func `A reference is resolved, and its escapes and those of the base stay`(text: String, url: String) {
        let base = URL(string: "http://a.test/b/c%2Fd?q=%20")
        #expect(URL(reference: text, relativeTo: base)?.absoluteString == url)
    }

    /// Random texts of the characters that have a meaning in URLs.
    @Test func `Foundation repairs no text that was escaped, and escaping it again changes nothing`() {
        var random = SeededTexts()
        for _ in 0..<TestLevel.count(4_000, nightly: 20_000) {
            let text = random.next()
            let escaped = URLReference.escaped(text)
            #expect(URLReference.escaped(escaped) == escaped, "\(text)")
            // Foundation repairs a host: it may convert it, or escape what is between brackets.
            guard escaped.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "[") }) else { continue }
            guard let url = URL(reference: text) else {
                #expect(URL(string: text) == nil, "\(text)")
                continue
            }
            #expect(url.absoluteString == escaped, "\(text)")
            #expect(URL(reference: url.absoluteString) == url, "\(text)")
        }
    }

    @Test(arguments: [
        "https://u:p@h.test:8443/a%2Fb;c=d,e/../f?g=%5B%5D&h=i/j?k#l/m?n", "/", "?", "#", "//", "a", "..", "/%ff%FF",
        ":",
        "data:text/plain,a%20b", "tel:+1-2", "http://h", "/a:b@c!$&'()*+,;=-._~",
    ])
    func `A valid URL passes byte for byte`(text: String) {
        #expect(URLReference.escaped(text) == text)
        #expect(URL(reference: text)?.absoluteString == text)
    }

    @Test func `The time is proportional to the length`() {
        let pieces = ["[", "%", "%20", "@", "#", "é", "//", ":"]
        for piece in pieces {
            let text = "http://" + String(repeating: piece, count: TestLevel.count(100_000, nightly: 400_000))
            #expect(URLReference.escaped(text).utf8.count >= text.utf8.count)
        }
    }
}

/// Texts of the characters that have a meaning in URLs, always the same for a seed.
private struct SeededTexts {
    private var state = TestSeed.current
    private static let pieces = [
        "http:", "//", "/", "?", "#", "@", ":", "[", "]", "%", "%20", "%2", "a", "h", ".", "..", " ", "|", "\\", "é",
        "1",
        "&", "=", "^",
    ]

    mutating func next() -> String {
        (0..<Int(random() % 9)).map { _ in Self.pieces[Int(random() % UInt64(Self.pieces.count))] }.joined()
    }

    private mutating func random() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
