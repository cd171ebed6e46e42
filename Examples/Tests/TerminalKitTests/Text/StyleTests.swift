import TestKit
import Testing

@testable import TerminalKit

@Suite("A style is one sequence that depends on nothing before it", .timeLimit(.test))
struct StyleTests {
    @Test(
        "Attributes and colours are selected after a reset",
        arguments: [
            (.plain, "\u{1B}[0m"), (.bold, "\u{1B}[0;1m"),
            (Style(bold: true, dim: true, inverse: true), "\u{1B}[0;1;2;7m"),
            (Style(foreground: .red), "\u{1B}[0;31m"),
            (Style(inverse: true, foreground: .brightWhite), "\u{1B}[0;7;97m"),
        ] as [(Style, String)])
    func selection(style: Style, sequence: String) {
        #expect(style.selection(in: .sixteen) == sequence)
    }

    @Test("Without colours the attributes stay")
    func monochrome() {
        #expect(Style(inverse: true, foreground: .red).selection(in: .monochrome) == "\u{1B}[0;7m")
    }

    @Test("All sixteen colours have the parameters of ECMA-48 and aixterm")
    func parameters() {
        #expect(TerminalColor.allCases.map(\.parameter) == Array(30...37) + Array(90...97))
    }

    @Test("Adding keeps what either has, and the later colour")
    func adding() {
        let both = Style(bold: true, foreground: .red).adding(Style(inverse: true, foreground: .blue))
        #expect(both == Style(bold: true, inverse: true, foreground: .blue))
        #expect(Style(foreground: .red).adding(.dim) == Style(dim: true, foreground: .red))
    }

    @Test(
        "NO_COLOR turns colours off unless it is empty",
        arguments: [(nil, true), ("", true), ("1", false), ("0", false)])
    func noColor(value: String?, hasColors: Bool) {
        #expect(ColorMode(noColor: value) == (hasColors ? .sixteen : .monochrome))
    }
}
