import TestKit
import Testing

@testable import TerminalKit

@Suite("A line holds styled text that is safe to show", .timeLimit(.test))
struct LineTests {
    @Test("Every way to make a line cleans its text")
    func cleaning() {
        let hostile = "\u{1B}]0;owned\u{7}"
        let lines: [Line] = [Line(hostile), "\(hostile)", "\u{1B}[2J", Line("a", style: .bold) + Line(hostile)]
        for line in lines {
            #expect(line.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
        }
    }

    @Test("Lines join, count their columns, and keep their styles")
    func joining() {
        var line = Line("日本", style: .bold) + "" + Line("ok", style: .dim)
        line += "!"
        #expect(line.text == "日本ok!")
        #expect(line.columns == 7)
        #expect(line.spans.map(\.style) == [.bold, .dim, .plain])
        #expect(line.adding(.inverse).spans.map(\.style.isInverse) == [true, true, true])
    }

    @Test(
        "A fitted line has exactly the columns asked for",
        arguments: [
            ("ab", 4, "ab  "), ("abcd", 4, "abcd"), ("abcde", 4, "abc…"), ("abc", 1, "…"), ("abc", 0, ""),
            ("abc", -3, ""),
            ("", 2, "  "), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日… "), ("日本語", 2, "… "), ("日", 1, "…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"),
        ])
    func fitting(text: String, columns: Int, fitted: String) {
        let line = Line(text).fitted(to: columns)
        #expect(line.text == fitted)
        #expect(line.columns == max(columns, 0))
        #expect(line.text.terminalColumns == line.columns)
    }

    @Test(
        "Room goes to the side that the alignment leaves",
        arguments: [(.left, "ab   "), (.center, " ab  "), (.right, "   ab")] as [(Line.Alignment, String)])
    func alignment(alignment: Line.Alignment, text: String) {
        #expect(Line("ab").fitted(to: 5, alignment: alignment).text == text)
    }

    @Test("The ellipsis looks like the text it stands for, padding like plain text")
    func ellipsisStyle() {
        let line = (Line("ab", style: .bold) + Line("cdef", style: .dim)).fitted(to: 4)
        #expect(line.text == "abc…")
        #expect(line.spans.last?.style == .dim)
        #expect(Line("a", style: .inverse).fitted(to: 3).spans.last?.style == .plain)
    }

    @Test(
        "A line over another one leaves all else where it was",
        arguments: [
            ("abcdef", "XY", 2, "abXYef"), ("ab", "XY", 4, "ab  XY"), ("abc", "XY", 2, "abXY"),
            ("abcd", "XY", -1, "Ybcd"),
            ("日本語", "X", 1, " X本語"), ("日本語", "X", 2, "日X 語"), ("日本", "XY", 1, " XY "), ("", "X", 0, "X"),
            ("ab", "", 1, "ab"),
            ("ab", "XY", -5, "ab"),
        ])
    func overlay(under: String, over: String, column: Int, expected: String) {
        #expect(Line(under).overlaid(with: Line(over), atColumn: column).text == expected)
    }

    @Test("However it is fitted or covered, the columns are right", arguments: 0..<40)
    func widths(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = ["a", "日", "e\u{301}", "👩‍👩‍👧", " ", "\u{1B}", "é", "🇫🇷", "\u{301}", "\u{202E}"]
        let line = (0..<20).map { _ in Line(pieces.randomElement(using: &random) ?? "") }.reduce(Line(), +)
        for columns in 1...45 {
            let fitted = line.fitted(to: columns)
            #expect(fitted.columns == columns)
            #expect(fitted.spans.allSatisfy { $0.columns == $0.text.terminalColumns })
            #expect(line.prefix(columns: columns).columns >= min(columns, line.columns) - 1)
            #expect(line.dropFirst(columns: columns).columns == max(line.columns - columns, 0))
            #expect(line.overlaid(with: "XX", atColumn: columns).columns == max(line.columns, columns + 2))
        }
    }
}
