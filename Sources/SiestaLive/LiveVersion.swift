/// The version of a resource's data, which orders live updates.
///
/// Versions that are integers are ordered: a greater integer is newer. Other versions, such as most entity tags, can
/// only be equal or different.
public struct LiveVersion: Equatable, Sendable {
    /// The version as text.
    let text: String
    private let number: UInt64?

    /// Creates a version from text. Text of up to 19 decimal digits is a number.
    public init(_ text: String) {
        let digits = text.utf8.allSatisfy { 0x30...0x39 ~= $0 } && 1...19 ~= text.utf8.count
        self.text = text
        number = digits ? UInt64(text) : nil
    }

    /// Creates a version from a number that is not negative.
    public init(_ number: Int) { self.init(String(number)) }

    /// Creates the version of an entity tag (RFC 9110 §8.8.3): its text without `W/` and quotes.
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

    /// Compares numbers as numbers, and other texts byte by byte.
    public static func == (one: LiveVersion, other: LiveVersion) -> Bool {
        if let number = one.number, let otherNumber = other.number { return number == otherNumber }
        return one.text.utf8.elementsEqual(other.text.utf8)
    }
}
