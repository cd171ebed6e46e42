import TestKit
import Testing

@testable import TerminalKit

@Suite("Text takes the columns terminals give it", .timeLimit(.test))
struct CharacterColumnsTests {
    @Test(
        "A character takes no, one or two columns",
        arguments: [
            ("a", 1), ("~", 1), ("é", 1), ("e\u{301}", 1), ("…", 1), ("█", 1), ("⠋", 1), ("ﬁ", 1), ("ｱ", 1), ("Ω", 1),
            ("я", 1), ("א", 1), ("日", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("Ａ", 2), ("。", 2), ("𠀀", 2),
            ("😀", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇫🇷", 2), ("\u{1F1EB}", 1), ("⚠️", 2), ("⚠", 1), ("❤️", 2), ("1️⃣", 2),
            ("⌚", 2), ("🏴‍☠️", 2), ("\u{FFFD}", 1), ("\u{301}", 0), ("\u{200B}", 0), ("\u{200D}", 0), ("\t", 0),
            ("\r\n", 0),
            ("\u{1B}", 0), ("\u{9B}", 0), ("\u{2028}", 0),
        ] as [(Character, Int)])
    func columns(character: Character, columns: Int) {
        #expect(character.terminalColumns == columns)
    }

    @Test(
        "A text takes what its characters take",
        arguments: [("", 0), ("abc", 3), ("日本語 ok", 9), ("🇫🇷🇩🇪", 4), ("naïve", 5), ("नमस्ते", 4), ("कि", 2)])
    func text(text: String, columns: Int) {
        #expect(text.terminalColumns == columns)
    }
}
