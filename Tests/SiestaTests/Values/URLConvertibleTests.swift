import Foundation
import Siesta
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

    @Test(arguments: ["", "\0", "http://url.test/\n", "\u{7F}", "http://[", "http://url.test:port/"])
    func `A string that is empty, has control characters or is malformed stands for no URL`(text: String) {
        #expect(text.url == nil)
    }
}
