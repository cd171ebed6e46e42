/// Percent-encoding of the parts of a URL (RFC 3986 §2.1). Pure.
enum PercentEncoding {
    /// A set of ASCII characters, one bit each.
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

    /// Whether a path, as UTF-8, need not be escaped.
    static func isPath(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let allowed = path
        return bytes.allSatisfy(allowed.contains)
    }

    /// A path in which all but the path's own characters is escaped, `%` and `?` too.
    static func escapePath(_ text: Substring) -> Substring { escape(text, path) }

    /// A pattern of absolute URLs or of paths, in which what cannot stand in those is escaped; `%` and wildcards stay.
    static func escapePattern(_ text: Substring, isAbsolute: Bool) -> Substring {
        escape(text, isAbsolute ? absolutePattern : pathPattern)
    }

    /// A name or value of a query, `+` escaped too since many servers read it as a space.
    static func escapeQueryItem(_ text: String) -> Substring { escape(text[...], queryItem) }

    /// A name or value of a form body: all but unreserved characters is escaped.
    static func escapeFormItem(_ text: String) -> Substring { escape(text[...], formItem) }

    /// A value in a URI template, or a literal of one, in which reserved characters and triplets stay (RFC 6570 §3.1
    /// and §3.2.1).
    static func escapeTemplate(_ text: Substring, allowingReserved: Bool) -> String {
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

    /// The first `length` characters of a text in which percent-encoded triplets stand for bytes in UTF-8.
    ///
    /// The triplets of one character count as one character, and so does a triplet that is not part of any.
    static func encodedPrefix(of text: String, _ length: Int) -> String {
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

    /// The byte that a text begins with as a triplet, if it does.
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

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}

extension UInt8 {
    /// Whether this is `0` to `9`, `a` to `f` or `A` to `F`.
    var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
