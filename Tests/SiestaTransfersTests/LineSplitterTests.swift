import Foundation
import SiestaCore
import TestKit
import Testing

@testable import SiestaTransfers

/// The division of bytes into lines.
@Suite(.timeLimit(.test))
struct LineSplitterTests {
    private static func lines(_ pieces: [Data], limit: Int = 100) -> [String]? {
        var splitter = LineSplitter(limit: limit)
        var result: [String] = []
        for piece in pieces {
            splitter.add(piece)
            loop: while true {
                switch splitter.next() {
                case .line(let line): result.append(line)
                case .tooLong: return nil
                case .more: break loop
                }
            }
        }
        return result + (splitter.last().map { [$0] } ?? [])
    }

    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\n", ["a"]), ("\n", [""]), ("\r\n\n", ["", ""]),
        ("a\nb\r\nc", ["a", "b", "c"]), ("a\rb\n", ["a\rb"]), ("a\r", ["a\r"]), ("a\r\r\n", ["a\r"]),
        ("ü☃\n😀", ["ü☃", "😀"]), ("a\u{2028}b\n", ["a\u{2028}b"]), ("a\n\n\nb", ["a", "", "", "b"]),
    ])
    func `Lines end with LF or CRLF, or with the text, however the bytes are cut`(_ text: String, _ lines: [String]) {
        let bytes = Data(text.utf8)
        for size in 1...max(1, bytes.count) {
            let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            #expect(Self.lines(pieces).map { $0.map { Array($0.utf8) } } == lines.map { Array($0.utf8) })
        }
    }

    @Test(arguments: [
        ("\u{FEFF}a\nb", ["a", "b"]), ("\u{FEFF}\n\u{FEFF}b", ["", "\u{FEFF}b"]), ("\u{FEFF}", [""]),
        ("\u{FEFF}\u{FEFF}a", ["\u{FEFF}a"]),
    ])
    func `A byte order mark at the start is not part of the first line, however the bytes are cut`(
        _ text: String, _ lines: [String]
    ) {
        let bytes = Data(text.utf8)
        for size in 1...bytes.count {
            let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            #expect(Self.lines(pieces).map { $0.map { Array($0.utf8) } } == lines.map { Array($0.utf8) })
        }
    }

    @Test func `A limit may be as large as numbers get`() {
        #expect(Self.lines([Data("a\r".utf8), Data("\nb".utf8)], limit: .max) == ["a", "b"])
    }

    @Test func `Bytes that are not UTF-8 are replaced`() {
        #expect(Self.lines([Data([0x61, 0xFF, 0x62, 0x0A])]) == ["a\u{FFFD}b"])
    }

    @Test(arguments: [
        ("abc\nabc\r\nabc", true), ("abcd\n", false), ("abcd", false), ("abc\r\n", true), ("abcd\r\n", false),
        ("x\nabcd\n", false), ("ü☃", false), ("ab\r", true),
    ])
    func `A line has no more bytes than the limit, however they come`(_ text: String, _ isAllowed: Bool) {
        let bytes = Data(text.utf8)
        #expect((Self.lines([bytes], limit: 3) != nil) == isAllowed)
        #expect((Self.lines(bytes.map { Data([$0]) }, limit: 3) != nil) == isAllowed)
    }
}
