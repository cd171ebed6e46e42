/// A JSON value (RFC 8259).
///
/// Two values are equal if they represent the same JSON: the order of members is ignored, and `1`, `1.0` and `1e0` are
/// the same number; see ``Number``. Strings and the names of members are compared in the same way as `String` values:
/// canonically equivalent strings are equal. However, strings with more than 30 combining marks in a row are compared
/// by their bytes, because `String` would take quadratic time for them.
///
/// Values from ``init(parsing:)`` contain at most 100 nested levels. Because the functions of this type are recursive,
/// values that your own code builds must respect the same limit.
public enum JSONValue: Sendable {
    /// The value `null`. A member with this value differs from a missing member.
    case null
    /// The value `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(Number)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object, as a dictionary of its members.
    case object([String: JSONValue])
}

extension JSONValue {
    /// The members of an object; nil for other values.
    public var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The elements of an array; nil for other values.
    public var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The Boolean value; nil for other values.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number; nil for other values.
    public var number: Number? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The text of a string; nil for other values.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value of a member; nil if the member is missing, or if this value is not an object. To remove a member, set
    /// it to nil. If this value is not an object, setting a member has no effect.
    public subscript(name: String) -> JSONValue? {
        get { members?[name] }
        set {
            guard case .object(var members) = self else { return }
            self = .null  // Releases the members, so that they are changed in place.
            members[name] = newValue
            self = .object(members)
        }
    }

    /// The number of nested arrays and objects: 0 for other values.
    package var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.values.lazy.map(\.depth).max() ?? 0)
        default: 0
        }
    }

    /// The number of values in this value, which counts itself.
    package var count: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.count }
        case .object(let members): members.values.reduce(1) { $0 + $1.count }
        default: 1
        }
    }

    /// The approximate length of the JSON text of this value, in bytes. Equal parts count each time, although they may share
    /// their memory.
    package var length: Int {
        switch self {
        case .array(let elements): elements.reduce(2) { $0 + 1 + $1.length }
        case .object(let members): members.reduce(2) { $0 + 2 + Self.length(of: $1.key) + $1.value.length }
        case .string(let text): Self.length(of: text)
        case .number(let number): number.description.utf8.count
        case .null, .bool: 5
        }
    }

    /// The length of a string with its quotation marks and escapes, in bytes.
    private static func length(of text: String) -> Int {
        text.utf8.reduce(2) { $0 + ($1 < 0x20 ? 6 : $1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 2 : 1) }
    }
}
