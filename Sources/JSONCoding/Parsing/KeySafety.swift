import Foundation
import HTTPRules

/// The check of a text before Foundation reads it: no key may have more combining marks in a row than ``StreamSafety``
/// allows. Takes time proportional to the length of the text.
enum KeySafety {
    private static let reason = "A key has more than \(StreamSafety.limit) combining marks in a row."

    /// The error of a tree, which is like an error of `JSONSerialization`.
    static var error: any Error {
        CocoaError(.propertyListReadCorrupt, userInfo: [NSDebugDescriptionErrorKey: reason])
    }

    static var decodingError: DecodingError { .dataCorrupted(.init(codingPath: [], debugDescription: reason)) }

    /// Returns false if a key of the text has too many marks.
    ///
    /// - Parameters:
    ///   - text: A text, which need not be valid. In UTF-16 and UTF-32, Foundation reads it like `JSONDecoder`.
    ///   - isJSON5: True if Foundation reads JSON5. Then a key need not be in quotes, and strings count, too.
    static func allows(_ text: Data, isJSON5: Bool = false) -> Bool {
        guard text.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "\\") || $0 == 0 }) else { return true }
        guard let encoding = wideEncoding(of: text) else { return allows(utf8: text, isJSON5) }
        guard let string = String(data: text, encoding: encoding) else { return true }  // Foundation refuses it.
        return allows(utf8: Data(string.utf8), isJSON5)
    }

    /// Returns the text in UTF-8, without a byte order mark.
    static func utf8(_ text: Data) -> Data {
        // The first character of most texts is an ASCII one, and one byte long.
        guard let first = text.first, first == 0 || first >= 0x80 || text.dropFirst().first == 0 else { return text }
        guard let encoding = wideEncoding(of: text) else { return withoutMark(text) }
        // The decoder of a damaged text drops or replaces bytes. Foundation decides about such a text.
        let string = String(data: text, encoding: encoding)
        guard let string, string.data(using: encoding) == text else { return text }
        return withoutMark(Data(string.utf8))
    }

    private static func withoutMark(_ text: Data) -> Data {
        text.starts(with: [0xEF, 0xBB, 0xBF]) ? Data(text.dropFirst(3)) : text
    }

    private static func allows(utf8 text: Data, _ isJSON5: Bool) -> Bool {
        text.withUnsafeBytes { bytes in
            var scan = KeyScan(bytes: bytes)
            return isJSON5 ? scan.hasOnlyShortRuns() : scan.hasOnlySafeKeys()
        }
    }

    /// The encoding that Foundation assumes because of the first bytes; nil for UTF-8.
    private static func wideEncoding(of text: Data) -> String.Encoding? {
        let start = Array(text.prefix(4))
        guard start.count >= 2 else { return nil }
        let isLong = start.count == 4
        switch (start[0], start[1], isLong ? start[2] : 1, isLong ? start[3] : 1) {
        case (0, 0, 0xFE, 0xFF), (0, 0, 0, _): return .utf32BigEndian
        case (0xFF, 0xFE, 0, 0), (_, 0, 0, 0): return .utf32LittleEndian
        case (0xFE, 0xFF, _, _), (0, _, _, _): return .utf16BigEndian
        case (0xFF, 0xFE, _, _), (_, 0, _, _): return .utf16LittleEndian
        default: return nil
        }
    }
}

/// A pass over a text that need not be valid JSON.
private struct KeyScan {
    let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var run = MarkRun()

    init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Returns true if no string that a colon follows has too long a run.
    mutating func hasOnlySafeKeys() -> Bool {
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "\"") else {
                position += 1
                continue
            }
            position += 1
            run = MarkRun()
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { readCharacter() }
            position += 1
            while position < bytes.count, " \n\r\t".utf8.contains(bytes[position]) { position += 1 }
            guard position < bytes.count else { return true }
            if run.isTooLong, bytes[position] == UInt8(ascii: ":") { return false }
        }
        return true
    }

    /// Returns true if the text has no long run anywhere.
    mutating func hasOnlyShortRuns() -> Bool {
        while position < bytes.count { readCharacter() }
        return !run.isTooLong
    }

    private mutating func readCharacter() {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\\") {
            readEscape()
        } else if byte < 0x80 {
            run.append(Unicode.Scalar(byte))
            position += 1
        } else {
            readScalar()
        }
    }

    /// Reads an escape. The half of a surrogate pair counts as no mark.
    private mutating func readEscape() {
        guard position + 1 < bytes.count else { return position += 1 }
        guard bytes[position + 1] == UInt8(ascii: "u"), let unit = codeUnit(at: position + 2) else {
            // JSON5 joins the lines before and after an escaped line end.
            if bytes[position + 1] != UInt8(ascii: "\n"), bytes[position + 1] != UInt8(ascii: "\r") { run.reset() }
            return position += 2
        }
        position += 6
        if unit & 0xFC00 == 0xD800, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u"), let low = codeUnit(at: position + 2), low & 0xFC00 == 0xDC00,
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        {
            position += 6
            return run.append(scalar)
        }
        if let scalar = Unicode.Scalar(unit) { run.append(scalar) } else { run.reset() }
    }

    private func codeUnit(at start: Int) -> UInt32? {
        guard start + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[start..<start + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// Reads a character of several bytes. Illegal bytes count as no mark.
    private mutating func readScalar() {
        let length = bytes[position] >= 0xF0 ? 4 : bytes[position] >= 0xE0 ? 3 : 2
        let end = min(position + length, bytes.count)
        var scalars = String(decoding: bytes[position..<end], as: UTF8.self).unicodeScalars.makeIterator()
        if let scalar = scalars.next(), scalars.next() == nil, scalar != "\u{FFFD}" {
            run.append(scalar)
            position = end
        } else {
            run.reset()
            position += 1
        }
    }
}
