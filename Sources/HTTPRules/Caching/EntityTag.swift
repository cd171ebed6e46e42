/// An entity tag (RFC 9110 §8.8.3).
package struct EntityTag: Sendable, Equatable {
    package var isWeak: Bool

    /// The tag with its quotes.
    package var opaque: String

    /// Reads the value of an `ETag` field. A tag without quotes, which some servers send, is read as it is. Returns nil
    /// if the value is missing or empty.
    package init?(_ value: String?) {
        guard let value, !value.isEmpty else { return nil }
        isWeak = value.starts(withUTF8Of: "W/")
        opaque = isWeak ? String(Substring(value.utf8.dropFirst(2))) : value
    }

    /// Compares without the weak mark, byte for byte (RFC 9110 §8.8.3.2).
    package func isWeaklyEqual(to other: EntityTag) -> Bool { opaque.hasSameBytes(as: other.opaque) }

    package static func == (left: Self, right: Self) -> Bool {
        left.isWeak == right.isWeak && left.isWeaklyEqual(to: right)
    }
}
