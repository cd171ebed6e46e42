#if os(Linux) || os(Android)
/// The escapes that Foundation writes in strings.
enum Escapes {
    static let slashes: UInt64 = 0x2F2F_2F2F_2F2F_2F2F
    static let quotationMarks: UInt64 = 0x2222_2222_2222_2222
    private static let backslashes: UInt64 = 0x5C5C_5C5C_5C5C_5C5C
    private static let spaces: UInt64 = 0x2020_2020_2020_2020

    /// Returns the index of the first of eight bytes that must be escaped, or 8. Each byte of `other` is one that is
    /// escaped in addition.
    @inline(__always)
    static func first(in word: UInt64, or other: UInt64) -> Int {
        // A carry from a byte that is found can only change the bytes above it.
        let control = (word &- spaces) & ~word
        let found = control | zeros(word ^ quotationMarks) | zeros(word ^ backslashes) | zeros(word ^ other)
        return (found & 0x8080_8080_8080_8080).trailingZeroBitCount &>> 3
    }

    /// Returns a word whose upper bits are set in the bytes that are 0.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- 0x0101_0101_0101_0101) & ~word }

    /// Returns up to seven bytes as a word. Spaces follow.
    @inline(__always)
    static func lastWord(_ bytes: RawSpan, from start: Int, to end: Int) -> UInt64 {
        var (result, shift, index) = (0 as UInt64, 0 as UInt64, start)
        let length = end &- start
        if length & 4 != 0 {
            result = UInt64(bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self))
            (shift, index) = (32, index &+ 4)
        }
        if length & 2 != 0 {
            result |= UInt64(bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt16.self)) &<< shift
            (shift, index) = (shift &+ 16, index &+ 2)
        }
        if length & 1 != 0 {
            result |= UInt64(bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt8.self)) &<< shift
            shift &+= 8
        }
        return result | spaces &<< shift
    }

    /// Appends the escape of a byte.
    static func append(_ byte: UInt8, to text: OutputText) {
        text.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: text.append(UInt8(ascii: "b"))
        case 0x09: text.append(UInt8(ascii: "t"))
        case 0x0A: text.append(UInt8(ascii: "n"))
        case 0x0C: text.append(UInt8(ascii: "f"))
        case 0x0D: text.append(UInt8(ascii: "r"))
        case 0..<0x20:
            text.append(literal: byte < 0x10 ? "u000" : "u001")
            let digit = byte & 0x0F
            text.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        default: text.append(byte)
        }
    }
}
#endif
