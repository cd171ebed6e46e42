import TerminalKit
import TestKit
import Testing

@testable import GitHubBrowser
@testable import GitHubClient

@Suite("Wrapped words", .timeLimit(.test))
struct WrappingTests {
    @Test(
        "wrap between words, and within those too long",
        arguments: [
            ("one two three", 7, 3, ["one two", "three"]), ("", 7, 3, []),
            ("abcdefgh ij", 4, 5, ["abcd", "efgh", "ij"]),
            ("one two three", 5, 2, ["one", "two …"]), ("漢字漢字", 4, 2, ["漢字", "漢字"]), ("a\n\tb", 9, 1, ["a b"]),
            ("any", 0, 1, []),
        ])
    func wrapped(text: String, columns: Int, rows: Int, lines: [String]) {
        #expect(Words.wrapped(text, columns: columns, rows: rows).map(\.text) == lines)
    }
}
