/// The container of a type with coding keys: the members of one element.
struct XMLKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let members: XMLMembers
    private let decoding: XMLDecoding

    init(_ members: XMLMembers, _ decoding: XMLDecoding) {
        (self.members, self.decoding) = (members, decoding)
    }

    var codingPath: [any CodingKey] { decoding.codingPath }

    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members.selection(key.stringValue) != nil }

    func decodeNil(forKey key: Key) -> Bool { members.selection(key.stringValue)?.isNil ?? true }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        guard type is any XMLRepeated.Type, members.selection(key.stringValue) == nil else {
            return try nested(key).unbox(type)
        }
        return try decoding.nested(.elements([]), key).unbox(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoding.nested(members.selection(key.stringValue) ?? .elements([]), key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoding }

    func superDecoder(forKey key: Key) throws -> any Decoder { try nested(key) }

    private func nested(_ key: Key) throws -> XMLDecoding {
        guard let selection = members.selection(key.stringValue) else {
            let reason = "There is no element or attribute “\(key.stringValue)”; declare the property optional."
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: reason))
        }
        return decoding.nested(selection, key)
    }
}
