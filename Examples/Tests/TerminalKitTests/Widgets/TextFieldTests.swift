import TestKit
import Testing

@testable import TerminalKit

@Suite("A text field edits one line", .timeLimit(.test))
struct TextFieldTests {
    private func field(_ text: String, after keys: [Key]) -> TextField {
        var field = TextField(text)
        for key in keys { field.handle(key) }
        return field
    }

    @Test(
        "Keys do what they do in every text field",
        arguments: [
            ([.character("c")], "abc", ""), ([.left, .character("x")], "ax", "b"), ([.backspace], "a", ""),
            ([.left, .delete], "a", ""), ([.delete], "ab", ""), ([.home, .backspace], "", "ab"),
            ([.ctrl("a")], "", "ab"),
            ([.home, .end], "ab", ""), ([.home, .ctrl("e")], "ab", ""), ([.home, .right], "a", "b"),
            ([.right], "ab", ""),
            ([.left, .ctrl("u")], "", "b"), ([.ctrl("w")], "", ""), ([.paste(" cd  ef "), .ctrl("w")], "ab cd  ", ""),
            ([.paste("\u{1B}x\r\ny")], "ab\u{FFFD}x y", ""), ([.left, .left, .left, .left], "", "ab"),
            ([.up, .escape, .ctrl("c"), .alt("x")], "ab", ""),
        ] as [([Key], String, String)])
    func editing(keys: [Key], head: String, tail: String) {
        let result = field("ab", after: keys)
        #expect(result.head == head)
        #expect(result.tail == tail)
        #expect(result.text == head + tail)
    }

    @Test("A key that means nothing here is left to others")
    func unhandled() {
        var field = TextField("ab")
        let handled = [Key.enter, .up, .left].map { field.handle($0) }
        #expect(handled == [false, false, true])
    }

    @Test("Emoji and accents typed scalar by scalar become one character, and go as one")
    func clusters() {
        var result = field("", after: "👩‍👩‍👧e\u{301}".unicodeScalars.map { .character(Character($0)) })
        #expect(result.text.count == 2)
        result.backspace()
        result.backspace()
        #expect(result.text == "")
    }

    @Test("It takes in no more than its limit")
    func limit() {
        var result = TextField("abc", limit: 4)
        result.moveToStart()
        result.insert("xyz")
        #expect(result.text == "xabc")
        #expect(TextField(String(repeating: "a", count: 2_000)).text.count == 1_000)
    }

    @Test(
        "The cursor is an inverse cell that is always in view",
        arguments: [
            ("ab", [], 5, "ab   ", " "), ("ab", [.left], 5, "ab   ", "b"), ("abcdef", [], 4, "def ", " "),
            ("abcdef", [.left], 4, "cdef", "f"), ("abcdef", [.home], 4, "abcd", "a"), ("日本語", [], 4, "語  ", " "),
            ("日本語", [.left], 4, "本語", "語"), ("日本語", [.home], 3, "日 ", "日"), ("", [], 1, " ", " "),
        ] as [(String, [Key], Int, String, String)])
    func showing(text: String, keys: [Key], columns: Int, shown: String, cursor: String) {
        let line = field(text, after: keys).line(columns: columns)
        #expect(line.text == shown)
        #expect(line.columns == columns)
        #expect(line.spans.filter(\.style.isInverse).map(\.text) == [cursor])
    }

    @Test("In any width it is exactly as wide as asked")
    func widths() {
        for columns in 0...12 {
            for steps in 0...5 {
                let line = field("a日e\u{301}本👩‍👩‍👧", after: Array(repeating: .left, count: steps)).line(columns: columns)
                #expect(line.columns == columns)
            }
        }
    }

    @Test("Without the focus there is no cursor")
    func unfocused() {
        let line = TextField("abcdef").line(columns: 4, isFocused: false, style: .dim)
        #expect(line.text == "abc…")
        #expect(!line.spans.contains { $0.style.isInverse })
    }
}
