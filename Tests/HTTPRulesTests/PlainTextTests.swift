import HTTPRules
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct PlainTextTests {
    /// All characters that must be escaped in logs and messages.
    static let misleading: [ClosedRange<UInt32>] = [
        0...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200B...0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
        0xFEFF...0xFEFF, 0xE0020...0xE007F,
    ]

    @Test func `Control characters, line ends and changes of direction are escaped in a line`() throws {
        for value in Self.misleading.joined() {
            let scalar = try #require(Unicode.Scalar(value))
            let line = PlainText.line("a\(scalar)b", limit: 100)
            #expect(!line.unicodeScalars.contains(scalar), "U+\(String(value, radix: 16))")
            #expect(line.hasPrefix("a\\"))
            #expect(line.hasSuffix("b"))
        }
        #expect(PlainText.line("a\r\n\t\u{1B}[2J\u{202E}", limit: 100) == #"a\r\n\t\u{1B}[2J\u{202E}"#)
    }

    @Test func `Words for a person lose control characters, and line ends become spaces`() throws {
        for value in Self.misleading.joined() {
            let scalar = try #require(Unicode.Scalar(value))
            #expect(!PlainText.words("a\(scalar)b", limit: 100).unicodeScalars.contains(scalar))
        }
        #expect(PlainText.words("a\r\n\tb\u{1B}[2Jc\u{2029}d\u{202E}e", limit: 100) == "a b[2Jc de")
    }

    @Test(arguments: ["plain", "Grüße, 世界", "👨‍👩‍👧 👍🏽", "می‌خواهم", "a  b", "שלום", "\\n", ""])
    func `Other text stays as it is`(text: String) {
        #expect(PlainText.line(text, limit: 100) == text)
        #expect(PlainText.words(text, limit: 100) == text)
    }

    @Test func `A long text ends with the number of characters that are left out`() {
        let text = String(repeating: "x", count: 1000)
        for limit in [100, 999] {
            let line = PlainText.line(text, limit: limit)
            #expect(line.unicodeScalars.count <= limit)
            #expect(line.hasSuffix("… (\(1000 - limit + 28) more)"))
            #expect(PlainText.line(line, limit: limit) == line)
        }
        #expect(PlainText.line(text, limit: 1000) == text)
        #expect(PlainText.words(text, limit: 100).unicodeScalars.count <= 100)
        let accents = "e" + String(repeating: "\u{301}", count: 10_000)
        #expect(PlainText.words(accents, limit: 100).unicodeScalars.count <= 100, "One character may be of any length")
    }
}
