import HTTPRules

/// The name of a user, which is compared byte for byte.
///
/// `String` treats names as equal if they have the same characters in different Unicode forms. A server may treat them as
/// two users. Therefore all decisions about users compare this type, and never the names themselves.
package struct Principal: Hashable, Sendable {
    /// The name.
    package let name: String

    /// Creates a principal from the name of a user.
    package init(_ name: String) {
        self.name = name
    }

    /// Returns the principal with this name; nil if nobody is signed in.
    package static func named(_ name: String?) -> Principal? { name.map { Principal($0) } }

    package static func == (left: Self, right: Self) -> Bool { left.name.hasSameBytes(as: right.name) }

    package func hash(into hasher: inout Hasher) { hasher.combine(ExactText(name)) }
}
