/// A text that is compared byte for byte. Use it for texts that are not for people, such as names of users, tokens and
/// validators: `String` treats the Unicode forms of a character as equal.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    package func hash(into hasher: inout Hasher) {
        text.withUTF8Bytes { hasher.combine(bytes: $0) }
        hasher.combine(UInt8(0xFF))  // marks the end; no UTF-8 contains it
    }
}
