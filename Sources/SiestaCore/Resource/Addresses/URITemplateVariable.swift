/// The value of a variable in a URI template; see ``Service/resource(template:_:)``.
public enum URITemplateValue: Sendable {
    /// A string.
    case text(String)
    /// An ordered list of strings. If the list is empty, the variable is undefined.
    case list([String])
    /// An ordered list of names with their values. If the list is empty, the variable is undefined.
    case pairs([(name: String, value: String)])

    var isUndefined: Bool {
        switch self {
        case .text: false
        case .list(let values): values.isEmpty
        case .pairs(let pairs): pairs.isEmpty
        }
    }
}

/// A type whose values can replace a variable in a URI template: strings, numbers, Boolean values, arrays, and
/// dictionaries.
public protocol URITemplateVariable {
    /// The value that replaces the variable; if nil, the variable is undefined and produces no text.
    var uriTemplateValue: URITemplateValue? { get }
}

extension URITemplateVariable where Self: LosslessStringConvertible {
    /// The value's description, as a string.
    public var uriTemplateValue: URITemplateValue? { .text(description) }
}

extension String: URITemplateVariable {}
extension Substring: URITemplateVariable {}
extension Int: URITemplateVariable {}
extension Int64: URITemplateVariable {}
extension Double: URITemplateVariable {}
extension Bool: URITemplateVariable {}

extension Array: URITemplateVariable where Element: LosslessStringConvertible {
    /// The descriptions of the elements, as a list.
    public var uriTemplateValue: URITemplateValue? { .list(map(\.description)) }
}

extension Dictionary: URITemplateVariable where Key == String, Value: LosslessStringConvertible {
    /// The keys with the descriptions of their values, sorted by key.
    public var uriTemplateValue: URITemplateValue? {
        .pairs(sorted { $0.key < $1.key }.map { ($0.key, $0.value.description) })
    }
}

extension KeyValuePairs: URITemplateVariable where Key == String, Value: LosslessStringConvertible {
    /// The keys with the descriptions of their values, in their original order.
    public var uriTemplateValue: URITemplateValue? { .pairs(map { ($0.key, $0.value.description) }) }
}

extension Optional: URITemplateVariable where Wrapped: URITemplateVariable {
    /// The value of the wrapped variable. If the optional is nil, the variable is undefined.
    public var uriTemplateValue: URITemplateValue? { flatMap(\.uriTemplateValue) }
}
