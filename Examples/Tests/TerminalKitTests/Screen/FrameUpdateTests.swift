import TestKit
import Testing

@testable import TerminalKit

@Suite("An update turns one frame on a screen into the next", .timeLimit(.test))
struct FrameUpdateTests {
    private let size = TerminalSize(rows: 4, columns: 12)

    @Test("The first frame clears the screen and shows all")
    func first() {
        var screen = VirtualScreen(size: size)
        screen.apply(Array("rubbish".utf8))
        screen.apply(Frame(size: size, lines: ["one", "日本"]).update(from: nil))
        #expect(screen.text == ["one         ", "日本        ", "            ", "            "])
        #expect(screen.failures == [])
    }

    @Test("Only rows that changed are written")
    func changedRows() {
        let before = Frame(size: size, lines: ["one", "two", "three", "four"])
        var after = before
        after[2] = "3"
        after[3] = ""
        var screen = VirtualScreen(size: size)
        screen.apply(before.update(from: nil))
        screen.apply(after.update(from: before))
        #expect(screen.rowsWritten == [2, 3])
        #expect(screen.text == ["one         ", "two         ", "3           ", "            "])
    }

    @Test("Equal frames need no bytes")
    func unchanged() {
        let frame = Frame(size: size, lines: [Line("a", style: .bold)])
        #expect(frame.update(from: frame) == [])
    }

    @Test("Another size draws all again")
    func resized() {
        let smaller = TerminalSize(rows: 2, columns: 12)
        let after = Frame(size: smaller, lines: ["one", "two"])
        let bytes = after.update(from: Frame(size: size, lines: ["one", "two"]))
        var screen = VirtualScreen(size: smaller)
        screen.apply(bytes)
        #expect(screen.text == ["one         ", "two         "])
        #expect(String(decoding: bytes, as: UTF8.self).contains("\u{1B}[2J"))
    }

    @Test("An update is one synchronized unit that ends in the plain style")
    func synchronized() {
        let bytes = Frame(size: size, lines: [Line("x", style: Style(inverse: true, foreground: .red))]).update(
            from: nil)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("\u{1B}[?2026h"))
        #expect(text.hasSuffix("\u{1B}[0;7;31mx\u{1B}[0m\u{1B}[?2026l"))
    }

    @Test("Styles reach the cells they belong to, colours only where they are wanted")
    func styles() {
        let frame = Frame(size: size, lines: ["a" + Line("b", style: Style(bold: true, foreground: .red)) + "c"])
        var screen = VirtualScreen(size: size)
        screen.apply(frame.update(from: nil))
        #expect(screen.cells[0].prefix(3).map(\.style) == ["0", "0;1;31", "0"])
        screen.apply(frame.update(from: nil, colors: .monochrome))
        #expect(screen.cells[0].prefix(3).map(\.style) == ["0", "0;1", "0"])
    }

    @Test("A terminal that measures emoji otherwise still shows the next piece in its column")
    func disagreement() {
        let line = Line("👩‍👩‍👧 x").fitted(to: 8) + Line("|", style: .dim)
        var screen = VirtualScreen(size: size) { $0.isASCII ? 1 : 3 }
        screen.apply(Frame(size: size, lines: [line]).update(from: nil))
        #expect(screen.cells[0][8].text == "|")
    }

    @Test("Hostile text does no more than stand there")
    func hostile() {
        let text = "\u{1B}[?1049l\u{1B}[H\u{9B}2J\r\n\u{202E}ab"
        var screen = VirtualScreen(size: TerminalSize(rows: 2, columns: 40))
        screen.apply(Frame(size: TerminalSize(rows: 2, columns: 40), lines: ["\(text)", "two"]).update(from: nil))
        #expect(screen.failures == [])
        #expect(screen.modes == [])
        #expect(screen.text[0].hasPrefix("\u{FFFD}[?1049l\u{FFFD}[H\u{FFFD}2J \u{FFFD}ab "))
        #expect(screen.text[1].hasPrefix("two"))
    }

    @Test("Any chain of updates shows the same as drawing the last frame afresh", arguments: 0..<30)
    func chain(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var screen = VirtualScreen(size: size)
        var shown: Frame?
        for _ in 0..<20 {
            let next = randomFrame(after: shown, &random)
            screen.apply(next.update(from: shown))
            var fresh = VirtualScreen(size: size)
            fresh.apply(next.update(from: nil))
            #expect(screen == fresh)
            #expect(screen.failures + fresh.failures == [])
            shown = next
        }
    }

    private func randomFrame(after frame: Frame?, _ random: inout SeededGenerator) -> Frame {
        var next = frame ?? Frame(size: size)
        let texts = ["", "a", "日本語", "👩‍👩‍👧 fam", "a long line of text", "e\u{301}\u{1B}[2J", "🇫🇷"]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let style = Style(bold: .random(using: &random), inverse: .random(using: &random))
            let line = Line(texts.randomElement(using: &random) ?? "", style: style)
            let row = Int.random(in: 0..<size.rows, using: &random)
            let column = Int.random(in: -2..<size.columns, using: &random)
            if Bool.random(using: &random) { next[row] = line } else { next.place(line, row: row, column: column) }
        }
        return next
    }
}
