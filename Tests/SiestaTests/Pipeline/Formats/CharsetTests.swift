import CacheTorture
import CoreFoundation
import Foundation

import TestKit
import Testing

@testable import SiestaCore

@Suite(.timeLimit(.test))
struct CharsetTests {
    @Test func `Text in every charset that CoreFoundation knows is decoded`() throws {
        var undecoded: [String] = []
        for (name, encoding) in Self.knownCharsets {
            let charset = try #require(Charset(ianaName: name), "\(name)")
            for sample in ["plain text 123", "é", "Я", "Ω", "あ漢字", "한글", "א", "ع"] {
                guard let bytes = Self.encode(sample, encoding) else { continue }
                if charset.decode(bytes) != sample { undecoded.append("\(name): \(sample)") }
            }
        }
        #expect(undecoded == [])
        #expect(Self.knownCharsets.count > 50)
    }

    @Test(
        arguments: [
            ("EUC-JP", [0xA4, 0xA2, 0x41], "あA"), ("Shift_JIS", [0x82, 0xA0], "あ"),
            ("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42], "あ"), ("EUC-KR", [0xC7, 0xD1], "한"),
            ("GB18030", [0xBA, 0xBA], "汉"), ("GB2312", [0xBA, 0xBA], "汉"), ("Big5", [0xBA, 0x7E], "漢"),
            ("KOI8-R", [0xF1], "Я"), ("windows-1251", [0xDF], "Я"), ("windows-1252", [0x80], "€"),
            ("ISO-8859-1", [0x80, 0xE9], "\u{80}é"), ("ISO-8859-15", [0xA4], "€"), ("us-ascii", [0x41], "A"),
            ("utf-8", [0xC3, 0xA9], "é"), ("utf-8", [0xEF, 0xBB, 0xBF, 0x41], "A"), ("UTF-16LE", [0xE9, 0x00], "é"),
            ("UTF-16BE", [0x00, 0xE9], "é"), ("UTF-16", [0xFF, 0xFE, 0xE9, 0x00], "é"),
            ("UTF-16", [0xFE, 0xFF, 0x00, 0xE9], "é"), ("UTF-32", [0xFF, 0xFE, 0, 0, 0xE9, 0, 0, 0], "é"),
            ("macintosh", [0x8E], "é"), ("IBM437", [0x82], "é"), ("utf-8", [], ""), ("utf-16", [], ""),
        ] as [(String, [UInt8], String)])
    func `Bytes of a charset mean the characters that its standard says`(name: String, bytes: [UInt8], text: String)
        throws
    {
        #expect(try #require(Charset(ianaName: name)).decode(Data(bytes)) == text)
    }

    @Test(
        arguments: [
            ("utf-8", [0xFF]), ("utf-8", [0xC3]), ("utf-8", [0xED, 0xA0, 0x80]), ("us-ascii", [0x80]),
            ("utf-16", [0x41]), ("utf-16le", [0x41, 0x00, 0x42]), ("utf-32", [0, 0, 0]), ("euc-jp", [0xA4]),
            ("euc-jp", [0xFF, 0xFF]), ("shift_jis", [0x82]),
        ] as [(String, [UInt8])])
    func `Illegal bytes are refused`(name: String, bytes: [UInt8]) throws {
        #expect(try #require(Charset(ianaName: name)).decode(Data(bytes)) == nil)
    }

    @Test(arguments: ["UTF-8", "Utf-8", " utf-8 ", "\"utf-8\""])
    func `Names match without regard to case, space and quotes`(name: String) {
        #expect(Charset(ianaName: name)?.stringEncoding == .utf8)
    }

    @Test(arguments: ["", "nonsense", "utf-9", "\u{0}", "é"])
    func `Names that stand for no charset are unknown`(name: String) {
        #expect(Charset(ianaName: name) == nil)
    }

    @Test(arguments: [
        (String.Encoding.utf8, "utf-8"), (.ascii, "us-ascii"), (.isoLatin1, "iso-8859-1"), (.utf16, "utf-16"),
        (.windowsCP1252, "windows-1252"), (.japaneseEUC, "euc-jp"),
    ])
    func `Encodings have their names in lower case`(encoding: String.Encoding, name: String) {
        #expect(Charset.ianaName(of: encoding) == name)
    }

    @Test func `Any bytes in any charset give text or nothing, and no crash`() throws {
        var random = SeededGenerator(seed: TestSeed.current)
        for (name, _) in Self.knownCharsets + [("euc-jp", 0)] {
            let charset = try #require(Charset(ianaName: name))
            for length in 0..<40 {
                _ = charset.decode(Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }))
            }
        }
    }

    private static let knownCharsets: [(name: String, encoding: CFStringEncoding)] = {
        var result: [(String, CFStringEncoding)] = []
        guard var next = CFStringGetListOfAvailableEncodings() else { return [] }
        while next.pointee != kCFStringEncodingInvalidId {
            let foundation = String.Encoding(rawValue: UInt(CFStringConvertEncodingToNSStringEncoding(next.pointee)))
            if let name = Charset.ianaName(of: foundation) { result.append((name, next.pointee)) }
            next += 1
        }
        return result
    }()

    private static func encode(_ text: String, _ encoding: CFStringEncoding) -> Data? {
        let utf16 = Array(text.utf16)
        let string = CFStringCreateWithCharacters(nil, utf16, utf16.count)
        var (bytes, used) = ([UInt8](repeating: 0, count: 200), 0 as CFIndex)
        let range = CFRange(location: 0, length: utf16.count)
        guard CFStringGetBytes(string, range, encoding, 0, true, &bytes, bytes.count, &used) == utf16.count else {
            return nil
        }
        return Data(bytes.prefix(used))
    }
}
