/// The encoding of bytes in Structured Fields (RFC 4648 §4).
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns the bytes. Accepts a text without padding and with other bits than 0 at its end, as RFC 9651 §4.2.7
    /// recommends. Returns nil if padding stands within the text, or if the length is impossible.
    static func decode(_ text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
        var digits = text[...]
        var padding = 0
        while padding < 2, digits.last == UInt8(ascii: "=") {
            digits.removeLast()
            padding += 1
        }
        var (bytes, buffer, bits) = ([UInt8](), 0 as UInt32, 0)
        bytes.reserveCapacity(digits.count * 3 / 4)
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            buffer = buffer << 6 | value
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
        }
        return bits == 6 || padding > 0 && !(digits.count + padding).isMultiple(of: 4) ? nil : bytes
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// Returns the text with padding.
    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[value >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
