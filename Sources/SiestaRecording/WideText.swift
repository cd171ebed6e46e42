import Foundation
import HTTPRules

/// A text in UTF-16 or UTF-32. It may be the first part of a text, and may contain illegal bytes. Pure.
struct WideText {
    /// The size of a unit in bytes, and the order of the bytes.
    private struct Encoding {
        let width: Int
        let isLittle: Bool

        func unit(_ bytes: Data.SubSequence) -> UInt32 {
            (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | UInt32($1) }
        }

        func bytes(_ unit: UInt32) -> [UInt8] {
            let bytes = (0..<width).map { UInt8(truncatingIfNeeded: unit >> UInt32(8 * $0)) }
            return isLittle ? bytes : bytes.reversed()
        }
    }

    private let encoding: Encoding
    private let original: Data
    /// The number of bytes of the byte order mark.
    private let start: Int

    /// Returns nil if neither the first bytes nor the label indicate such an encoding.
    init?(_ bytes: Data, contentType: String) {
        let first = Array(bytes.prefix(4))
        let mark = Self.marks.first { first.starts(with: $0.0) }
        let label = MediaType.parameter("charset", of: contentType)?.lowercased()
        guard let encoding = mark?.1 ?? Self.shape(first) ?? label.flatMap({ Self.labels[$0] }) else { return nil }
        (self.encoding, original, start) = (encoding, bytes, mark?.0.count ?? 0)
    }

    /// Returns the text after a change of its UTF-8 form, in the same encoding.
    func changing(_ change: (Data) -> Data) -> Data {
        let content = original.dropFirst(start)
        let end = content.startIndex + content.count / encoding.width * encoding.width
        let units = stride(from: content.startIndex, to: end, by: encoding.width).map {
            encoding.unit(content[$0..<$0 + encoding.width])
        }
        let before = Data(text(units).utf8)
        let after = change(before)
        guard after != before else { return original }
        let changed = String(decoding: after, as: UTF8.self)
        let new = encoding.width == 2 ? changed.utf16.map(UInt32.init) : changed.unicodeScalars.map(\.value)
        // A unit that was cut stays.
        return original.prefix(start) + Data(new.flatMap(encoding.bytes)) + content[end...]
    }

    private func text(_ units: [UInt32]) -> String {
        encoding.width == 2
            ? String(decoding: units.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self)
            : String(String.UnicodeScalarView(units.map { Unicode.Scalar($0) ?? "\u{FFFD}" }))
    }

    private static let utf16LE = Encoding(width: 2, isLittle: true)
    private static let utf16BE = Encoding(width: 2, isLittle: false)
    private static let utf32LE = Encoding(width: 4, isLittle: true)
    private static let utf32BE = Encoding(width: 4, isLittle: false)

    private static let marks: [([UInt8], Encoding)] = [
        ([0xFF, 0xFE, 0, 0], utf32LE), ([0, 0, 0xFE, 0xFF], utf32BE), ([0xFF, 0xFE], utf16LE), ([0xFE, 0xFF], utf16BE),
    ]

    /// Without a mark, the order is the one that networks use (RFC 2781 §4.3).
    private static let labels: [String: Encoding] = [
        "utf-16": utf16BE, "utf-16be": utf16BE, "utf-16le": utf16LE, "utf-32": utf32BE, "utf-32be": utf32BE,
        "utf-32le": utf32LE,
    ]

    /// The encoding of a text that begins with two characters of ASCII.
    private static func shape(_ first: [UInt8]) -> Encoding? {
        switch first.map({ $0 == 0 }) {
        case [false, true, true, true]: utf32LE
        case [true, true, true, false]: utf32BE
        case [false, true, false, true]: utf16LE
        case [true, false, true, false]: utf16BE
        default: nil
        }
    }
}
