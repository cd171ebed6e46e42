/// Reads the bytes of a field's value in place, from left to right.
///
/// Each function takes time proportional to the bytes that it passes. A quoted string without an end is the exception;
/// it is searched for only once, see ``hasOpenQuote``.
struct FieldReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    /// True if a quoted string without an end was found. From then on, a quote is an ordinary character, because no
    /// later quote can have an end either.
    private(set) var hasOpenQuote = false

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// True if a member of a list ends here.
    var isAtEndOfMember: Bool { next == nil || next == UInt8(ascii: ",") }

    /// Skips the byte if it comes next. Returns false if it does not.
    @inline(__always)
    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    @inline(__always)
    mutating func take(while isTaken: (UInt8) -> Bool) -> UnsafeRawBufferPointer {
        let start = position
        while position < bytes.count, isTaken(bytes[position]) { position += 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    }

    /// Skips optional white space (RFC 9110 §5.6.3).
    @inline(__always)
    mutating func skipSpaces() {
        _ = take { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// Skips white space and the empty members of a list (RFC 9110 §5.6.1.2).
    @inline(__always)
    mutating func skipToMember() {
        _ = take { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: ",") }
    }

    /// Takes a token (RFC 9110 §5.6.2); empty if none comes next.
    @inline(__always)
    mutating func takeToken() -> UnsafeRawBufferPointer {
        take { isTokenByte[Int($0)] }
    }

    /// Takes the text between the quotes of a quoted string, with its escapes (RFC 9110 §5.6.4). Returns nil and stays
    /// where it is if no quoted string comes next.
    mutating func takeQuoted() -> UnsafeRawBufferPointer? {
        guard !hasOpenQuote, next == UInt8(ascii: "\"") else { return nil }
        var end = position + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < bytes.count else {
            hasOpenQuote = true
            return nil
        }
        defer { position = end + 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[(position + 1)..<end])
    }

    /// Skips the rest of a member of a list, up to a comma outside quoted strings.
    mutating func skipMember() {
        while !isAtEndOfMember {
            if takeQuoted() == nil { position += 1 }
        }
    }
}

/// The bytes that a token can contain: a table, because each byte of `Cache-Control` is looked up.
private let isTokenByte: [Bool] = (0...255).map { UInt8($0).isTokenCharacter }

extension UnsafeRawBufferPointer {
    /// Returns true if the bytes are this text. Ignores the case of ASCII letters.
    @inline(__always)
    func isEqual(toASCII text: StaticString) -> Bool {
        isEqual(toASCII: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// The bytes as text in lower case.
    var lowercased: String { String(decoding: map(\.lowercasedASCII), as: UTF8.self) }

    /// The number of seconds; nil if the bytes are not a non-negative integer. Larger numbers count as 2³¹
    /// (RFC 9111 §1.2.2).
    var deltaSeconds: UInt32? {
        guard !isEmpty else { return nil }
        var seconds: UInt64 = 0
        for byte in self {
            guard byte.isASCIIDigit else { return nil }
            seconds = Swift.min(seconds * 10 + UInt64(byte - UInt8(ascii: "0")), UInt64(UInt32.maximumDelta))
        }
        return UInt32(seconds)
    }
}

extension UInt32 {
    /// The largest number of seconds: 2³¹, about 68 years (RFC 9111 §1.2.2).
    package static let maximumDelta: UInt32 = 1 << 31

    /// Rounds a number of seconds down, to 0…2³¹. A value that is not a number becomes 0.
    package init(delta seconds: Double) {
        self = seconds > 0 ? UInt32(Swift.min(seconds, Double(UInt32.maximumDelta))) : 0
    }
}
