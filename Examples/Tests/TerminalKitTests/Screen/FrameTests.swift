import TestKit
import Testing

@testable import TerminalKit

@Suite("A frame has one line for each row, none longer", .timeLimit(.test))
struct FrameTests {
    private let size = TerminalSize(rows: 3, columns: 6)

    @Test("Lines are cut, missing ones are empty, lines too many are left out")
    func lines() {
        #expect(Frame(size: size, lines: ["abcdefgh"]).lines.map(\.text) == ["abcde…", "", ""])
        #expect(Frame(size: size, lines: ["1", "2", "3", "4"]).lines.map(\.text) == ["1", "2", "3"])
    }

    @Test("Rows outside the screen read as empty and take nothing")
    func outside() {
        var frame = Frame(size: size)
        frame[3] = "x"
        frame[-1] = "x"
        frame.place("x", row: 9, column: 0)
        frame.place("x", row: 0, column: 6)
        #expect(frame == Frame(size: size))
        #expect(frame[7] == Line())
    }

    @Test("What is placed lies over the line and ends at the edge")
    func placing() {
        var frame = Frame(size: size, lines: ["abcdef"])
        frame.place("XYZ", row: 0, column: 4)
        frame.place("日本", row: 1, column: 3)
        frame.place("12", row: 2, column: -1)
        #expect(frame.lines.map(\.text) == ["abcdXY", "   日", "2"])
    }

    @Test("Another size cuts or extends")
    func resizing() {
        let frame = Frame(size: size, lines: ["abcdef", "x"])
        #expect(frame.resized(to: TerminalSize(rows: 1, columns: 3)).lines.map(\.text) == ["ab…"])
        #expect(frame.resized(to: TerminalSize(rows: 4, columns: 9)).lines.map(\.text) == ["abcdef", "x", "", ""])
    }

    @Test("A size is at least one cell", arguments: [(0, 0), (-5, 1), (1, -1)])
    func smallest(rows: Int, columns: Int) {
        #expect(TerminalSize(rows: rows, columns: columns) == TerminalSize(rows: 1, columns: 1))
    }
}
