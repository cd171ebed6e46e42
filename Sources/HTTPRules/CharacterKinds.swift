/// The kinds of characters in HTTP, as ASCII codes.
extension UInt8 {
    @inlinable
    package var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    @inlinable
    package var isASCIIAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// True if the character may be part of a token, such as a method or the name of a field (RFC 9110 §5.6.2).
    @inlinable
    package var isTokenCharacter: Bool { isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(self) }

    /// True if the character may be part of the value of a field (RFC 9110 §5.5). Control characters could end the
    /// field; only the tab may be used.
    @inlinable
    package var isFieldCharacter: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }
}
