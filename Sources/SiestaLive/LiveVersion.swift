/// The version of a resource's data, by which the library orders live updates.
///
/// Versions that are integers are ordered: a greater integer is newer. Other versions, such as most entity tags, can
/// only be equal or different.
public struct LiveVersion: Equatable, Sendable {
    /// The version as text.
    let text: String
    private let number: UInt64?

    /// Creates a version from text. If the text consists of 1 to 19 decimal digits, the version is an integer.
    public init(_ text: String) {
        let digits = text.utf8.allSatisfy { 0x30...0x39 ~= $0 } && 1...19 ~= text.utf8.count
        self.text = text
        number = digits ? UInt64(text) : nil
    }

    /// Creates a version from an integer, which must not be negative.
    public init(_ number: Int) { self.init(String(number)) }

    /// Creates a version from an entity tag (RFC 9110 §8.8.3), without its prefix `W/` and its quotes.
    public init(entityTag: String) {
        let opaque = entityTag.hasPrefix("W/") ? entityTag.dropFirst(2) : entityTag[...]
        let isQuoted = opaque.utf8.count >= 2 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
        self.init(String(isQuoted ? opaque.dropFirst().dropLast() : opaque))
    }

    /// True if this version is known to be older than another one, or is the same.
    func isCovered(by other: LiveVersion) -> Bool {
        guard let number, let otherNumber = other.number else { return self == other }
        return number <= otherNumber
    }

    /// Returns true if two versions are equal. Integers are compared by value, and all other versions byte by byte.
    public static func == (one: LiveVersion, other: LiveVersion) -> Bool {
        if let number = one.number, let otherNumber = other.number { return number == otherNumber }
        return one.text.utf8.elementsEqual(other.text.utf8)
    }
}
