/// The characters that are allowed in names and values of header fields.
package enum HeaderSyntax {
    /// Returns true if `name` is a token (RFC 9110 §5.6.2). Names of fields and methods must be tokens.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(\.isTokenCharacter)
    }

    /// Returns true if `value` contains no control character except the tab. Such a value cannot end a field (RFC 9110
    /// §5.5).
    package static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy(\.isFieldCharacter)
    }

    /// Returns the name of a header that cannot be sent, the first in alphabetical order; nil if all headers can be
    /// sent.
    package static func invalidName(in headers: [String: String]) -> String? {
        guard !headers.isEmpty else { return nil }
        return headers.lazy.filter { !isName($0.key) || !isValue($0.value) }.map(\.key).min()
    }
}

extension UInt8 {
    /// True if the byte may be part of a method or of the name of a field (RFC 9110 §5.6.2).
    @inlinable package var isTokenCharacter: Bool { isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(self) }

    /// True if the byte is an ASCII letter or digit.
    @inlinable package var isASCIIAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    /// True if the byte may be part of the value of a field (RFC 9110 §5.5).
    @inlinable package var isFieldCharacter: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }
}
