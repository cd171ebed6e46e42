import Foundation
import SiestaCore
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct URLConvertibleTests {
    @Test func `A URL stands for itself`() throws {
        let url = try #require(URL(string: "http://url.test/x?y#z"))
        #expect(url.url == url)
    }

    @Test(arguments: ["http://url.test/x", "./relative", "//host/path", "?query", "mailto:a@url.test"])
    func `A string stands for the URL it spells`(text: String) {
        #expect(text.url?.absoluteString == text)
    }

    @Test(arguments: [
        ("https://h.test/q?f[a]=x%20y", "https://h.test/q?f%5Ba%5D=x%20y"), ("a%2Fb|c", "a%2Fb%7Cc"),
        ("?u=100%&v=%20", "?u=100%25&v=%20"), ("http://bücher.test/%20é", "http://xn--bcher-kva.test/%20%C3%A9"),
        ("http://u%40[:p%3A^@h.test/%20", "http://u%40%5B:p%3A%5E@h.test/%20"),
        ("http://[::1]/[%20", "http://[::1]/%5B%20"),
        ("mailto:a%20b c", "mailto:a%20b%20c"),
    ])
    func `Characters that a URL cannot contain are escaped, and nothing else`(text: String, url: String) {
        #expect(text.url?.absoluteString == url)
    }

    @Test(arguments: ["", "\0", "http://url.test/\n", "\u{7F}", "http://[", "http://url.test:port/"])
    func `A string that is empty, has control characters or is malformed stands for no URL`(text: String) {
        #expect(text.url == nil)
    }
}
