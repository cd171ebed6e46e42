/// The container of an array: elements, or the words of an attribute.
struct XMLUnkeyedDecoding: UnkeyedDecodingContainer {
    private let members: [XMLSelection]
    private let decoding: XMLDecoding
    private(set) var currentIndex = 0

    init(members: [XMLSelection], decoding: XMLDecoding) {
        (self.members, self.decoding) = (members, decoding)
    }

    var codingPath: [any CodingKey] { decoding.codingPath }
    var count: Int? { members.count }
    var isAtEnd: Bool { currentIndex >= members.count }

    mutating func decodeNil() -> Bool {
        guard !isAtEnd, members[currentIndex].isNil else { return false }
        currentIndex += 1
        return true
    }

    /// Moves to the next member only if decoding succeeds.
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try next(type).unbox(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try next(type).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try next([Any].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try next((any Decoder).self)
        currentIndex += 1
        return decoder
    }

    private func next(_ type: Any.Type) throws -> XMLDecoding {
        let key = XMLIndexKey(currentIndex)
        guard !isAtEnd else {
            let reason = "There are only \(members.count) elements."
            throw DecodingError.valueNotFound(type, .init(codingPath: codingPath + [key], debugDescription: reason))
        }
        return decoding.nested(members[currentIndex], key)
    }
}

/// The index of a member of an array, in coding paths.
private struct XMLIndexKey: CodingKey {
    let index: Int

    init(_ index: Int) {
        self.index = index
    }

    init?(intValue: Int) {
        index = intValue
    }

    init?(stringValue: String) { nil }

    var intValue: Int? { index }
    var stringValue: String { "Index \(index)" }
}
