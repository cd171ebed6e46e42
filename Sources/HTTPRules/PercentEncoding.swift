/// Percent-encoding of the parts of a URL (RFC 3986 §2.1). Pure.
package enum PercentEncoding {
    /// A set of ASCII characters, with one bit for each character.
    private struct Allowed {
        private var low: UInt64 = 0
        private var high: UInt64 = 0

        init(_ extra: String) {
            let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
            for byte in (unreserved + extra).utf8 {
                if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
            }
        }

        func contains(_ byte: UInt8) -> Bool {
            byte < 64 ? low & (1 << UInt64(byte)) != 0 : byte < 128 && high & (1 << UInt64(byte - 64)) != 0
        }
    }

    private static let path = Allowed("!$&'()*+,/:;=@")
    private static let absolutePattern = Allowed("!$&'()*+,/:;=@%?#[]")
    private static let pathPattern = Allowed("!$&'()*+,/:;=@%?")
    private static let queryItem = Allowed(";/?:@'()*!$,")
    private static let formItem = Allowed("")
    private static let reserved = Allowed(":/?#[]@!$&'()*+,;=")

    /// Returns true if a path, given as UTF-8, contains no character that must be escaped.
    package static func isPath(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let allowed = path
        return bytes.allSatisfy(allowed.contains)
    }

    /// Escapes all characters that a path cannot contain, and also `%` and `?`.
    package static func escapePath(_ text: Substring) -> Substring { escape(text, path) }

    /// Escapes the characters that an absolute URL or a path cannot contain, in a pattern for URLs or paths. Keeps `%`
    /// and wildcards.
    package static func escapePattern(_ text: Substring, isAbsolute: Bool) -> Substring {
        escape(text, isAbsolute ? absolutePattern : pathPattern)
    }

    /// Escapes a name or value of a query, including `+`, which many servers decode as a space.
    package static func escapeQueryItem(_ text: String) -> Substring { escape(text[...], queryItem) }

    /// Escapes a name or value of a form body. Escapes all characters except the unreserved characters.
    package static func escapeFormItem(_ text: String) -> Substring { escape(text[...], formItem) }

    /// Escapes a value or a literal of a URI template. If `allowingReserved` is true, keeps reserved characters and
    /// percent-encoded triplets (RFC 6570 §3.1 and §3.2.1).
    package static func escapeTemplate(_ text: Substring, allowingReserved: Bool) -> String {
        guard allowingReserved else { return String(escape(text, formItem)) }
        var result = ""
        var rest = text[...]
        while let percent = rest.utf8.firstIndex(of: UInt8(ascii: "%")) {
            result += escape(rest[..<percent], reserved)
            let digits = rest.utf8[rest.utf8.index(after: percent)...].prefix(2)
            let isTriplet = digits.count == 2 && digits.allSatisfy(\.isHexadecimalDigit)
            result += isTriplet ? "%" : "%25"
            rest = rest[rest.utf8.index(after: percent)...]
        }
        return result + escape(rest, reserved)
    }

    /// Returns a URL in which no unreserved character is escaped, and the triplets have upper-case digits (RFC 3986
    /// §6.2.2).
    package static func normalized(_ url: String) -> String {
        var rest = url.utf8[...]
        var result: [UInt8] = []
        result.reserveCapacity(rest.count)
        while let first = rest.first {
            if first == UInt8(ascii: "%"), let byte = byte(of: Substring(rest.prefix(3)).unicodeScalars) {
                let isPlain = formItem.contains(byte)
                result += isPlain ? [byte] : [first, hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
                rest = rest.dropFirst(3)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the first `length` characters of a text in which percent-encoded triplets represent bytes of UTF-8.
    ///
    /// The triplets of one character count as one character. A triplet that does not belong to a valid character also
    /// counts as one character.
    package static func encodedPrefix(of text: String, _ length: Int) -> String {
        var rest = text.unicodeScalars[...]
        for _ in 0..<length where !rest.isEmpty { rest = rest.dropFirst(lengthOfFirstCharacter(in: rest)) }
        return String(text.unicodeScalars[..<rest.startIndex])
    }

    private static func lengthOfFirstCharacter(in text: Substring.UnicodeScalarView) -> Int {
        guard let first = byte(of: text) else { return 1 }
        let continuations = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0
        for number in 0..<continuations {
            guard let next = byte(of: text.dropFirst(3 * (number + 1))), next & 0xC0 == 0x80 else { return 3 }
        }
        return 3 * (continuations + 1)
    }

    /// Returns the byte that the triplet at the start of the text represents; nil if the text does not start with a
    /// triplet.
    private static func byte(of text: Substring.UnicodeScalarView) -> UInt8? {
        let triplet = text.prefix(3)
        guard triplet.count == 3, triplet.first == "%",
            triplet.dropFirst().allSatisfy({ $0.isASCII && UInt8(ascii: $0).isHexadecimalDigit })
        else { return nil }
        return UInt8(String(triplet.dropFirst()), radix: 16)
    }

    private static func escape(_ text: Substring, _ allowed: Allowed) -> Substring {
        guard let first = text.utf8.firstIndex(where: { !allowed.contains($0) }) else { return text }
        var result = String(text[..<first])
        for byte in text.utf8[first...] {
            if allowed.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%"
                result.unicodeScalars.append(Unicode.Scalar(hexadecimal[Int(byte >> 4)]))
                result.unicodeScalars.append(Unicode.Scalar(hexadecimal[Int(byte & 15)]))
            }
        }
        return result[...]
    }

    /// The digits of a triplet.
    static let hexadecimal = Array("0123456789ABCDEF".utf8)
}

extension UInt8 {
    /// True if this is the ASCII code of `0` to `9`, `a` to `f` or `A` to `F`.
    package var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
