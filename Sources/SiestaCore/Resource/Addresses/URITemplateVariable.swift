/// The value of a variable of a URI template; see ``Service/resource(template:_:)``.
public enum URITemplateValue: Sendable {
    /// A text.
    case text(String)
    /// Texts in order. An empty list is undefined.
    case list([String])
    /// Names and values in order. An empty list is undefined.
    case pairs([(name: String, value: String)])

    var isUndefined: Bool {
        switch self {
        case .text: false
        case .list(let values): values.isEmpty
        case .pairs(let pairs): pairs.isEmpty
        }
    }
}

/// A type whose values can replace a variable of a URI template: text, numbers, lists, and associations.
public protocol URITemplateVariable {
    /// The value; nil if the variable is undefined.
    var uriTemplateValue: URITemplateValue? { get }
}

extension URITemplateVariable where Self: LosslessStringConvertible {
    /// The value's description as text.
    public var uriTemplateValue: URITemplateValue? { .text(description) }
}

extension String: URITemplateVariable {}
extension Substring: URITemplateVariable {}
extension Int: URITemplateVariable {}
extension Int64: URITemplateVariable {}
extension Double: URITemplateVariable {}
extension Bool: URITemplateVariable {}

extension Array: URITemplateVariable where Element: LosslessStringConvertible {
    /// The descriptions of the elements as a list.
    public var uriTemplateValue: URITemplateValue? { .list(map(\.description)) }
}

extension Dictionary: URITemplateVariable where Key == String, Value: LosslessStringConvertible {
    /// The names and the descriptions of the values, sorted by name.
    public var uriTemplateValue: URITemplateValue? {
        .pairs(sorted { $0.key < $1.key }.map { ($0.key, $0.value.description) })
    }
}

extension KeyValuePairs: URITemplateVariable where Key == String, Value: LosslessStringConvertible {
    /// The names and the descriptions of the values, in their order.
    public var uriTemplateValue: URITemplateValue? { .pairs(map { ($0.key, $0.value.description) }) }
}

extension Optional: URITemplateVariable where Wrapped: URITemplateVariable {
    /// The value of the wrapped variable; nil, which means undefined, if the optional is nil.
    public var uriTemplateValue: URITemplateValue? { flatMap(\.uriTemplateValue) }
}
