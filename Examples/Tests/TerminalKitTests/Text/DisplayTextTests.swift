import TestKit
import Testing

@testable import TerminalKit

@Suite("Text from anywhere is made safe to show", .timeLimit(.test))
struct DisplayTextTests {
    @Test(
        "Controls become visible, invisible characters go, everything else stays",
        arguments: [
            ("plain ~ text", "plain ~ text"), ("naïve 日本語 😀", "naïve 日本語 😀"), ("e\u{301}", "e\u{301}"),
            ("a\u{1B}[2Jb", "a\u{FFFD}[2Jb"), ("a\u{7F}b", "a\u{FFFD}b"), ("a\u{9B}2Jb", "a\u{FFFD}2Jb"),
            ("\0", "\u{FFFD}"),
            ("one\ntwo", "one two"), ("one\r\ntwo", "one two"), ("one\ttwo\rthree", "one two three"),
            ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"), ("invoice\u{202E}fdp.exe", "invoice\u{FFFD}fdp.exe"),
            ("\u{2066}a\u{2069}\u{200F}", "\u{FFFD}a\u{FFFD}\u{FFFD}"), ("\u{FEFF}ad\u{200B}min\u{AD}", "admin"),
            ("a\u{2060}b\u{3164}c\u{E0041}", "abc"), ("👩‍👩‍👧", "👩‍👩‍👧"), ("⚠️", "⚠️"), ("\u{200D}a", "a"),
            ("نمی‌خواهم", "نمی‌خواهم"),
            ("\u{FFF9}x\u{FFFA}y\u{FFFB}", "xy"),
        ])
    func cleaning(dirty: String, clean: String) {
        #expect(DisplayText.clean(dirty) == clean)
        #expect(DisplayText.clean(clean) == clean)
    }

    @Test("No scalar that controls anything gets through, wherever it stands")
    func everyControl() {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
        ]
        for value in ranges.joined() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for text in ["\(scalar)", "a\(scalar)", "é\(scalar)日", "\(scalar)\u{301}", "👩\u{200D}\(scalar)"] {
                #expect(!DisplayText.clean(text).unicodeScalars.contains(scalar), "U+\(String(value, radix: 16))")
            }
        }
    }

    @Test("A tower of marks is cut, even one held together by characters that are dropped")
    func manyMarks() {
        let tower = "a" + String(repeating: "\u{301}\u{200B}", count: 1_000) + "b"
        let clean = DisplayText.clean(tower)
        #expect(clean.unicodeScalars.count == 17)
        #expect(clean.hasSuffix("b"))
    }
}
