#if os(Linux) || os(Android)
/// The texts of strings and keys.
enum Strings {
    /// Returns the string with these bytes, or nil if they are not UTF-8. Also returns nil if they contain a byte order
    /// mark, which `JSONSerialization` removes from the start of a string.
    @inline(never)
    static func validated(_ bytes: Span<UInt8>) -> String? {
        guard !containsByteOrderMark(bytes), let text = try? UTF8Span(validating: bytes) else { return nil }
        return String(copying: text)
    }

    private static func containsByteOrderMark(_ bytes: Span<UInt8>) -> Bool {
        let raw = bytes.bytes
        var index = 0
        while index < bytes.count {
            if index &+ 8 <= bytes.count {
                // A byte of this word is 0 if a byte of the text is 0xEF.
                let word = raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self) ^ 0xEFEF_EFEF_EFEF_EFEF
                if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 == 0 {
                    index &+= 8
                    continue
                }
            }
            let end = min(index &+ 8, bytes.count)
            while index < end {
                if bytes[index] == 0xEF, index &+ 2 < bytes.count, bytes[index &+ 1] == 0xBB, bytes[index &+ 2] == 0xBF
                {
                    return true
                }
                index &+= 1
            }
        }
        return false
    }

    /// Returns true if each escape in the bytes is one of RFC 8259, and each surrogate has its other half.
    static func hasValidEscapes(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        var index = start
        while index < end {
            if bytes[index] != UInt8(ascii: "\\") {
                index &+= 1
                continue
            }
            let length = lengthOfEscape(bytes, at: index, end: end)
            if length == 0 { return false }
            index &+= length
        }
        return true
    }

    /// Returns the length of the escape at a position, or 0 if there is none that is valid.
    private static func lengthOfEscape(_ bytes: Span<UInt8>, at index: Int, end: Int) -> Int {
        guard index + 1 < end else { return 0 }
        switch bytes[index + 1] {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return 2
        case 0x75:
            guard index + 6 <= end, let unit = hexadecimal(bytes, at: index + 2) else { return 0 }
            if unit & 0xFC00 == 0xDC00 { return 0 }
            guard unit & 0xFC00 == 0xD800 else { return 6 }
            guard index + 12 <= end, bytes[index + 6] == 0x5C, bytes[index + 7] == 0x75 else { return 0 }
            guard let low = hexadecimal(bytes, at: index + 8), low & 0xFC00 == 0xDC00 else { return 0 }
            return 12
        default: return 0
        }
    }

    /// Appends the text that valid bytes with escapes stand for.
    static func unescape(_ bytes: Span<UInt8>, from start: Int, to end: Int, into result: inout CheckedBuffer<UInt8>) {
        var index = start
        while index < end {
            var stop = index
            while stop < end, bytes[stop] != UInt8(ascii: "\\") { stop &+= 1 }
            result.append(bytes, from: index, to: stop)
            guard stop < end else { return }
            index = stop &+ appendEscape(bytes, at: stop, to: &result)
        }
    }

    /// Appends the character of an escape, and returns the length of the escape.
    private static func appendEscape(_ bytes: Span<UInt8>, at index: Int, to result: inout CheckedBuffer<UInt8>) -> Int
    {
        switch bytes[index &+ 1] {
        case 0x62: result.append(0x08)
        case 0x66: result.append(0x0C)
        case 0x6E: result.append(0x0A)
        case 0x72: result.append(0x0D)
        case 0x74: result.append(0x09)
        case 0x75:
            let unit = hexadecimal(bytes, at: index &+ 2) ?? 0
            guard unit & 0xFC00 == 0xD800 else {
                append(unit, to: &result)
                return 6
            }
            let low = hexadecimal(bytes, at: index &+ 8) ?? 0
            append(0x10000 + (unit - 0xD800) << 10 + (low & 0x3FF), to: &result)
            return 12
        case let character: result.append(character)
        }
        return 2
    }

    /// Appends the UTF-8 of a code point.
    private static func append(_ scalar: UInt32, to result: inout CheckedBuffer<UInt8>) {
        @inline(__always) func continuation(_ shift: UInt32) -> UInt8 { UInt8(0x80 | scalar >> shift & 0x3F) }
        switch scalar {
        case 0..<0x80: result.append(UInt8(scalar))
        case 0x80..<0x800:
            result.append(UInt8(0xC0 | scalar >> 6))
            result.append(continuation(0))
        case 0x800..<0x10000:
            result.append(UInt8(0xE0 | scalar >> 12))
            result.append(continuation(6))
            result.append(continuation(0))
        default:
            result.append(UInt8(0xF0 | scalar >> 18 & 0x07))
            result.append(continuation(12))
            result.append(continuation(6))
            result.append(continuation(0))
        }
    }

    /// Returns the number of four hexadecimal digits.
    private static func hexadecimal(_ bytes: Span<UInt8>, at index: Int) -> UInt32? {
        var result: UInt32 = 0
        for position in index..<index + 4 {
            let digit: UInt8
            switch bytes[position] {
            case let byte where byte &- 0x30 <= 9: digit = byte &- 0x30
            case let byte where (byte | 0x20) &- 0x61 <= 5: digit = (byte | 0x20) &- 0x61 &+ 10
            default: return nil
            }
            result = result << 4 | UInt32(digit)
        }
        return result
    }
}
#endif
