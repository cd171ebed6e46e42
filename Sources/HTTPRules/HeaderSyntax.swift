/// The characters that are allowed in names and values of header fields.
package enum HeaderSyntax {
    /// Returns true if `name` is a token (RFC 9110 §5.6.2). Names of fields and methods must be tokens.
    package static func isName(_ name: String) -> Bool {
        name.withUTF8Bytes { !$0.isEmpty && $0.allSatisfy(\.isTokenCharacter) }
    }

    /// Returns true if `value` contains no control character except the tab. Such a value cannot end a field (RFC 9110
    /// §5.5).
    package static func isValue(_ value: String) -> Bool {
        value.withUTF8Bytes { $0.allSatisfy(\.isFieldCharacter) }
    }

    /// Returns the name of a header that cannot be sent, the first in alphabetical order; nil if all headers can be
    /// sent.
    package static func invalidName(in headers: [String: String]) -> String? {
        guard !headers.isEmpty else { return nil }
        return headers.lazy.filter { !isName($0.key) || !isValue($0.value) }.map(\.key).min()
    }
}
