import SiestaCore
import SiestaJSON

/// The elements of an array by their identifiers.
struct IdentifiedElements {
    /// The elements in their order.
    let elements: [JSONValue]

    /// The identifier of each element.
    let ids: [JSONValue]

    /// The index of each identifier.
    let indexes: [JSONValue: Int]

    /// Returns nil if `value` is not an array of objects with distinct identifiers in the member `name`.
    init?(_ value: JSONValue?, by name: String) {
        guard let elements = value?.elements else { return nil }
        self.elements = elements
        ids = elements.compactMap { Self.id(of: $0, by: name) }
        indexes = Dictionary(zip(ids, 0...)) { first, _ in first }
        guard indexes.count == elements.count else { return nil }
    }

    subscript(id: JSONValue) -> JSONValue? { indexes[id].map { elements[$0] } }

    /// The identifier of an element: a string or a number, or else nil.
    static func id(of element: JSONValue, by name: String) -> JSONValue? {
        switch element.members?[name] {
        case .some(.string(let text)): .string(text)
        case .some(.number(let number)): .number(number)
        default: nil
        }
    }

    /// Returns the identifiers before and after the element at an index.
    func neighbours(at index: Int) -> (before: JSONValue?, after: JSONValue?) {
        (index > 0 ? ids[index - 1] : nil, index + 1 < ids.count ? ids[index + 1] : nil)
    }
}
