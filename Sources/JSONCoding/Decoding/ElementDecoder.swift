#if os(Linux) || os(Android)
/// Decodes one value of a document.
struct ElementDecoder: Decoder {
    let location: Location

    @inline(__always) private var document: Document { location.document }
    @inline(__always) private var node: Int { location.node }

    var codingPath: [any CodingKey] { location.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { document.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard document.text.nodes[node].kind == .object else {
            throw document.containerFailure("keyed", [String: Any].self, location)
        }
        return KeyedDecodingContainer(KeyedContainer<Key>(location: location))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard document.text.nodes[node].kind == .array else {
            throw document.containerFailure("unkeyed", [Any].self, location)
        }
        return UnkeyedContainer(location)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ElementDecoder: SingleValueDecodingContainer {
    @inline(__always)
    private func checked<T>(_ value: T?) throws -> T {
        guard let value else { throw document.failure(T.self, at: node, location, nil) }
        return value
    }

    func decodeNil() -> Bool { document.text.nodes[node].kind == .null }
    func decode(_ type: Bool.Type) throws -> Bool { try checked(document.bool(at: node)) }
    func decode(_ type: String.Type) throws -> String { try checked(document.string(at: node)) }
    func decode(_ type: Double.Type) throws -> Double { try checked(document.double(at: node)) }
    func decode(_ type: Float.Type) throws -> Float { try checked(document.float(at: node)) }
    func decode(_ type: Int.Type) throws -> Int { try checked(document.integer(type, at: node)) }
    func decode(_ type: Int8.Type) throws -> Int8 { try checked(document.integer(type, at: node)) }
    func decode(_ type: Int16.Type) throws -> Int16 { try checked(document.integer(type, at: node)) }
    func decode(_ type: Int32.Type) throws -> Int32 { try checked(document.integer(type, at: node)) }
    func decode(_ type: Int64.Type) throws -> Int64 { try checked(document.integer(type, at: node)) }
    func decode(_ type: Int128.Type) throws -> Int128 { try checked(document.integer(type, at: node)) }
    func decode(_ type: UInt.Type) throws -> UInt { try checked(document.integer(type, at: node)) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try checked(document.integer(type, at: node)) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try checked(document.integer(type, at: node)) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try checked(document.integer(type, at: node)) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try checked(document.integer(type, at: node)) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try checked(document.integer(type, at: node)) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try document.value(type, at: node, location, nil) }
}
#endif
