/// A validator of a representation (RFC 9110 section 8.8.3).
struct EntityTag: Sendable, Hashable {
    /// What stands between the quotes.
    let opaque: String

    /// Whether it is marked `W/`.
    let isWeak: Bool

    init(_ opaque: String, isWeak: Bool = false) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// The strong tag of a content: equal bytes give equal tags, in every process.
    init(of body: [UInt8]) {
        self.init(Hash64(body).hexadecimal + Hash64(body, salt: 1).hexadecimal)
    }

    /// As it is written in a header.
    var description: String { (isWeak ? "W/" : "") + "\"\(opaque)\"" }

    /// Whether the opaque parts agree, weak or not.
    func weaklyMatches(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// The tags of a list; what is malformed ends the list, because it cannot be said where the next one would begin.
    static func list(_ text: String) -> [EntityTag] {
        var tags: [EntityTag] = []
        var rest = text[...]
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
            let isWeak = rest.hasPrefix("W/")
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return tags }
            tags.append(EntityTag(String(rest[..<end].dropFirst()), isWeak: isWeak))
            rest = rest[end...].dropFirst()
        }
    }
}
