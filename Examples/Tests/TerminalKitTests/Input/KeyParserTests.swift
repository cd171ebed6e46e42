import TestKit
import Testing

@testable import TerminalKit

@Suite("A key parser turns what terminals send into keys", .timeLimit(.test))
struct KeyParserTests {
    private func keys(_ text: String) -> [Key] {
        var parser = KeyParser()
        return parser.feed(text.utf8)
    }

    @Test(
        "Every common spelling of a key is known",
        arguments: [
            ("\u{1B}[A", .up), ("\u{1B}OA", .up), ("\u{1B}[B", .down), ("\u{1B}OB", .down), ("\u{1B}[C", .right),
            ("\u{1B}OD", .left), ("\u{1B}[H", .home), ("\u{1B}OH", .home), ("\u{1B}[1~", .home), ("\u{1B}[7~", .home),
            ("\u{1B}[F", .end), ("\u{1B}OF", .end), ("\u{1B}[4~", .end), ("\u{1B}[8~", .end), ("\u{1B}[5~", .pageUp),
            ("\u{1B}[6~", .pageDown), ("\u{1B}[2~", .insert), ("\u{1B}[3~", .delete), ("\u{1B}[Z", .backTab),
            ("\u{1B}[1;2Z", .backTab), ("\u{1B}[9;2u", .backTab), ("\u{1B}OM", .enter), ("\r", .enter), ("\n", .enter),
            ("\t", .tab), ("\u{7F}", .backspace), ("\u{08}", .backspace), ("\u{1B}OP", .function(1)),
            ("\u{1B}[11~", .function(1)), ("\u{1B}[[E", .function(5)), ("\u{1B}[15~", .function(5)),
            ("\u{1B}[17~", .function(6)), ("\u{1B}[24~", .function(12)), ("\u{1B}[27u", .escape),
            ("\u{1B}[13u", .enter),
            ("a", .character("a")), (" ", .character(" ")), ("é", .character("é")), ("日", .character("日")),
            ("😀", .character("😀")),
        ] as [(String, Key)])
    func spelling(text: String, key: Key) {
        #expect(keys(text) == [key])
    }

    @Test(
        "Control keys are letters and a few signs",
        arguments: [
            (0x00, " "), (0x01, "a"), (0x03, "c"), (0x15, "u"), (0x1A, "z"), (0x1C, "\\"), (0x1D, "]"), (0x1E, "^"),
            (0x1F, "_"),
        ] as [(UInt8, Character)])
    func control(byte: UInt8, letter: Character) {
        var parser = KeyParser()
        #expect(parser.feed([byte]) == [.ctrl(letter)])
    }

    @Test(
        "Modifiers are told in one form, whoever sends them",
        arguments: [
            ("\u{1B}[1;5A", .modified(.up, .control)), ("\u{1B}Oa", .modified(.up, .control)),
            ("\u{1B}[1;2D", .modified(.left, .shift)), ("\u{1B}[d", .modified(.left, .shift)),
            ("\u{1B}[1;1C", .right), ("\u{1B}[1;33C", .modified(.right, .alt)), ("\u{1B}[1;65C", .right),
            ("\u{1B}[3;5~", .modified(.delete, .control)), ("\u{1B}[3^", .modified(.delete, .control)),
            ("\u{1B}[5;4~", .modified(.pageUp, [.shift, .alt])), ("\u{1B}x", .alt("x")), ("\u{1B}é", .alt("é")),
            ("\u{1B}\u{7F}", .modified(.backspace, .alt)), ("\u{1B}\u{03}", .modified(.ctrl("c"), .alt)),
            ("\u{1B}[97;5u", .ctrl("a")), ("\u{1B}[27;5;97~", .ctrl("a")), ("\u{1B}[97;2u", .character("A")),
            ("\u{1B}[97;7u", .modified(.ctrl("a"), .alt)), ("\u{1B}[9;6u", .modified(.backTab, .control)),
            ("\u{1B}[223;2u", .character("ß")),
        ] as [(String, Key)])
    func modifiers(text: String, key: Key) {
        #expect(keys(text) == [key])
    }

    @Test("However input is split, the keys are the same")
    func splitting() {
        let text = "aé日😀\u{1B}[A\u{1B}[1;5C\u{1B}OF\u{1B}x\r\u{1B}[200~one\r\ntwo é\u{1B}[A\u{1B}[201~z\u{1B}[3~"
        let bytes = Array(text.utf8)
        let whole = keys(text)
        #expect(whole.count == 12)
        #expect(whole.contains(.paste("one\ntwo é\u{1B}[A")))
        for size in 1...7 {
            var parser = KeyParser()
            let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            #expect(pieces.flatMap { parser.feed($0) } == whole, "in pieces of \(size)")
            #expect(parser.waiting == .nothing)
        }
    }
}

@Suite("A key parser knows when to give up waiting", .timeLimit(.test))
struct KeyParserFlushTests {
    @Test(
        "What stays unfinished becomes the key it may be, or nothing",
        arguments: [
            ("\u{1B}", [.escape]), ("\u{1B}[", [.alt("[")]), ("\u{1B}O", [.alt("O")]), ("\u{1B}[12;", []),
            ("\u{1B}[[", []), ("", []),
        ] as [(String, [Key])])
    func flush(text: String, expected: [Key]) {
        var parser = KeyParser()
        #expect(parser.feed(text.utf8) == [])
        #expect(parser.waiting == (text.isEmpty ? .nothing : .sequence))
        #expect(parser.flush() == expected)
        #expect(parser.waiting == .nothing)
        #expect(parser.feed("k".utf8) == [.character("k")])
    }

    @Test("Half a character is forgotten, and Escape before it is not")
    func halfCharacter() {
        var parser = KeyParser()
        #expect(parser.feed([0xE6, 0x97]) == [])
        #expect(parser.flush() == [])
        #expect(parser.feed([0x1B, 0xE6]) == [])
        #expect(parser.flush() == [.escape])
    }

    @Test("Two Escapes are two keys, of which the second waits")
    func twoEscapes() {
        var parser = KeyParser()
        #expect(parser.feed("\u{1B}\u{1B}".utf8) == [.escape])
        #expect(parser.flush() == [.escape])
    }

    @Test("A paste whose end never comes is what came, and keys work again")
    func lostPasteEnd() {
        var parser = KeyParser()
        #expect(parser.feed("\u{1B}[200~half".utf8) == [])
        #expect(parser.waiting == .paste)
        #expect(parser.flush() == [.paste("half")])
        #expect(parser.feed([0x03]) == [.ctrl("c")])
    }
}

@Suite("A key parser survives anything", .timeLimit(.test))
struct KeyParserGarbageTests {
    @Test(
        "Garbage takes no valid key with it",
        arguments: [
            ([0xFF, 0x61], [.character("a")]), ([0xC3, 0x61], [.character("a")]),
            ([0xF0, 0x9F, 0x98, 0x61], [.character("a")]), ([0xE6, 0x97, 0x1B, 0x5B, 0x41], [.up]),
            ([0xC0, 0x80, 0x62], [.character("b")]), ([0xED, 0xA0, 0x80, 0x62], [.character("b")]),
            ([0xE6, 0xC3, 0xA9], [.character("é")]), ([0x9B, 0x41], [.character("A")]),
            ([0xC2, 0x9B, 0x41], [.character("A")]), ([0x1B, 0x5B, 0x31, 0x1B, 0x5B, 0x42], [.down]),
            ([0x1B, 0x5B, 0x31, 0xC3, 0xA9], [.character("é")]), ([0x1B, 0x5B, 0x03], [.ctrl("c")]),
            ([0x1B, 0xFF, 0x61], [.escape, .character("a")]), ([0x1B, 0x4F, 0x78], [.alt("O"), .character("x")]),
            ([0x1B, 0x5B, 0x3F, 0x31, 0x3B, 0x32, 0x63, 0x61], [.character("a")]),
            ([0x1B, 0x5B, 0x49, 0x61], [.character("a")]),
            ([0x1B, 0x5B, 0x5B, 0x7A, 0x61], [.character("z"), .character("a")]),
            ([0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E, 0x61], [.character("a")]),
        ] as [([UInt8], [Key])])
    func garbage(bytes: [UInt8], expected: [Key]) {
        var parser = KeyParser()
        #expect(parser.feed(bytes) == expected)
        #expect(parser.waiting == .nothing)
    }

    @Test("A sequence without end is bounded, swallowed whole, and over with its last byte")
    func endlessSequence() {
        var parser = KeyParser()
        #expect(parser.feed("\u{1B}[".utf8) == [])
        for _ in 0..<100 { #expect(parser.feed(String(repeating: "1;", count: 1_000).utf8) == []) }
        #expect(parser.feed("~~".utf8).last == .character("~"))
        #expect(parser.waiting == .nothing)
    }

    @Test("Numbers too large for an integer mean nothing")
    func hugeNumbers() {
        var parser = KeyParser()
        #expect(parser.feed("\u{1B}[99999999999999999999999~\u{1B}[1;99999999999999999999A".utf8) == [.up])
        #expect(parser.feed("\u{1B}[9223372036854775807u".utf8) == [])
    }

    @Test("A long paste comes in pieces that never cut a character")
    func longPaste() {
        let text = "x" + String(repeating: "日本", count: 50_000)
        var parser = KeyParser()
        let keys = parser.feed("\u{1B}[200~\(text)\u{1B}[201~q".utf8)
        let pieces = keys.compactMap { if case .paste(let piece) = $0 { piece } else { nil } }
        #expect(pieces.joined() == text)
        #expect(pieces.count == 5)
        #expect(pieces.allSatisfy { $0.utf8.count <= KeyParser.longestPaste })
        #expect(keys.last == .character("q"))
    }

    @Test("A paste of bytes that are no text is repaired")
    func brokenPaste() {
        var parser = KeyParser()
        let bytes = Array("\u{1B}[200~a".utf8) + [0xFF] + Array("b\rc\u{1B}[201~".utf8)
        #expect(parser.feed(bytes) == [.paste("a\u{FFFD}b\nc")])
    }

    @Test("An empty paste is no key")
    func emptyPaste() {
        var parser = KeyParser()
        #expect(parser.feed("\u{1B}[200~\u{1B}[201~a".utf8) == [.character("a")])
    }

    @Test("After any bytes at all, the parser can be brought to listen again", arguments: 0..<50)
    func anyBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var parser = KeyParser()
        let alphabet: [UInt8] = [0x1B, 0x5B, 0x4F, 0x7E, 0x32, 0x30, 0x31, 0x3B, 0xC3, 0xF0, 0x9F, 0x80, 0x03, 0x41]
        for _ in 0..<300 {
            _ = parser.feed([alphabet.randomElement(using: &random) ?? 0, UInt8.random(in: 0...255, using: &random)])
        }
        _ = parser.flush()
        #expect(parser.feed("ok".utf8) == [.character("o"), .character("k")])
    }
}
