import HTTPRules

/// A part of a document that a coding key or an index selects.
enum XMLSelection {
    /// The root, or an element of an array.
    case element(XMLTree.Element)
    /// The child elements with a key, at least one unless an array is decoded.
    case elements([XMLTree.Element])
    /// An attribute, or the text of an element. The line is that of the element.
    case text(String, line: Int)

    /// The attribute that says that an element has no value (XML Schema part 1 §2.6.2).
    var isNil: Bool {
        guard case .elements(let elements) = self, elements.count == 1 else {
            guard case .element(let element) = self else { return false }
            return element.isNil
        }
        return elements[0].isNil
    }
}

extension XMLTree.Element {
    fileprivate var isNil: Bool {
        let value = attribute("nil", namespace: "http://www.w3.org/2001/XMLSchema-instance").map {
            StreamSafety.safe($0.trimmingXMLSpace)
        }
        return value == "true" || value == "1"
    }
}

/// The decoder that types receive.
struct XMLDecoding: Decoder {
    let selection: XMLSelection
    let options: XMLTreeDecoder
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(XMLKeyedDecoding<Key>(XMLMembers(of: try element(for: type), options), self))
    }

    /// Several elements are the members of an array. The members of a single element are its child elements, and those
    /// of an attribute are its words.
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let members: [XMLSelection] =
            switch selection {
            case .elements(let elements): elements.map { .element($0) }
            case .element(let element): element.elements.map { .element($0) }
            case .text(let text, let line):
                text.split(whereSeparator: \.isWhitespace).map { .text(String($0), line: line) }
            }
        return XMLUnkeyedDecoding(members: members, decoding: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Decodes the selected part. Values of one text are decoded here, because some types, such as `Date`, would decode
    /// themselves in another way.
    func unbox<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let scalar = type as? any XMLScalar.Type else { return try Value(from: self) }
        let (text, line) = try self.text(for: type)
        guard let value = try scalar.value(of: text, options) as? Value else {
            let reason = "The text\(place(line)) is not a valid \(type)."
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
        }
        return value
    }

    private func text(for type: Any.Type) throws -> (String, line: Int) {
        if case .text(let text, let line) = selection { return (text, line) }
        let element = try element(for: type)
        if type != String.self, let child = element.elements.first {
            let reason = "The element\(place(element.line)) contains the element “\(child.name)”"
            throw mismatch(type, reason + "; decode a type with this key.")
        }
        return (element.stringValue, element.line)
    }

    /// Returns the only selected element.
    private func element(for type: Any.Type) throws -> XMLTree.Element {
        switch selection {
        case .element(let element): return element
        case .elements(let elements) where elements.count == 1: return elements[0]
        case .elements(let elements):
            throw mismatch(
                type, "There are \(elements.count) elements\(place(elements.first?.line ?? 0)); decode an array.")
        case .text(_, let line): throw mismatch(type, "A text or attribute\(place(line)) has no elements.")
        }
    }

    private func mismatch(_ type: Any.Type, _ reason: String) -> DecodingError {
        DecodingError.typeMismatch(type, .init(codingPath: codingPath, debugDescription: reason))
    }

    private func place(_ line: Int) -> String { line > 0 ? " at line \(line)" : "" }

    /// Returns the decoder of a part of this part.
    func nested(_ selection: XMLSelection, _ key: any CodingKey) -> XMLDecoding {
        XMLDecoding(selection: selection, options: options, codingPath: codingPath + [key])
    }
}

extension XMLDecoding: SingleValueDecodingContainer {
    func decodeNil() -> Bool { selection.isNil }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try unbox(type) }
}
