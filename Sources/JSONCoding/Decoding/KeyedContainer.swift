#if os(Linux) || os(Android)
/// Decodes the values of an object.
struct KeyedContainer<Key: CodingKey> {
    let location: Location

    @inline(__always) private var document: Document { location.document }
    @inline(__always) private var node: Int { location.node }

    /// Returns the index of the node of the value with a key.
    @inline(__always)
    func find(_ key: Key) throws -> Int {
        let found = document.find(key.stringValue, in: node)
        if found < 0 { throw missing(key) }
        return found
    }

    /// Returns the index of the node of the value with a key, or -1 if there is none, or if it is null.
    @inline(__always)
    private func present(_ key: Key) -> Int {
        let found = document.find(key.stringValue, in: node)
        return found < 0 || document.text.nodes[found].kind == .null ? -1 : found
    }

    @inline(never)
    private func missing(_ key: Key) -> DecodingError {
        let message = "No value associated with key \(key) (\"\(key.stringValue)\")."
        return .keyNotFound(key, document.context(location, nil, message))
    }

    @inline(__always)
    private func required<T>(_ key: Key, _ read: (Int) -> T?) throws -> T {
        let found = try find(key)
        guard let value = read(found) else { throw document.failure(T.self, at: found, location, key) }
        return value
    }

    @inline(__always)
    private func optional<T>(_ key: Key, _ read: (Int) -> T?) throws -> T? {
        let found = present(key)
        if found < 0 { return nil }
        guard let value = read(found) else { throw document.failure(T.self, at: found, location, key) }
        return value
    }
}

extension KeyedContainer: KeyedDecodingContainerProtocol {
    var codingPath: [any CodingKey] { location.codingPath }

    var allKeys: [Key] {
        let object = document.text.nodes[node]
        var result: [Key] = []
        result.reserveCapacity(object.count)
        var seen: Set<UInt32> = []
        let canRepeat = object.hasDuplicates || document.hasMergedKeys
        for pair in object.firstPair..<object.firstPair + object.count {
            let number = document.text.pairKeys[pair]
            if canRepeat, !seen.insert(number).inserted { continue }
            if let key = Key(stringValue: document.name(ofPair: pair)) { result.append(key) }
        }
        return result
    }

    func contains(_ key: Key) -> Bool { document.find(key.stringValue, in: node) >= 0 }
    func decodeNil(forKey key: Key) throws -> Bool { document.text.nodes[try find(key)].kind == .null }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try required(key) { document.bool(at: $0) } }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try required(key) { document.string(at: $0) } }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try required(key) { document.double(at: $0) } }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try required(key) { document.float(at: $0) } }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try required(key) { document.integer(type, at: $0) }
    }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try required(key) { document.integer(type, at: $0) }
    }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try required(key) { document.integer(type, at: $0) }
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try required(key) { document.integer(type, at: $0) }
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try required(key) { document.integer(type, at: $0) }
    }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try required(key) { document.integer(type, at: $0) }
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try required(key) { document.integer(type, at: $0) }
    }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try required(key) { document.integer(type, at: $0) }
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try required(key) { document.integer(type, at: $0) }
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try required(key) { document.integer(type, at: $0) }
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try required(key) { document.integer(type, at: $0) }
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try required(key) { document.integer(type, at: $0) }
    }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try document.value(type, at: find(key), location, key)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try optional(key) { document.bool(at: $0) }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try optional(key) { document.string(at: $0) }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try optional(key) { document.double(at: $0) }
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try optional(key) { document.float(at: $0) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try optional(key) { document.integer(type, at: $0) }
    }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try optional(key) { document.integer(type, at: $0) }
    }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try optional(key) { document.integer(type, at: $0) }
    }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try optional(key) { document.integer(type, at: $0) }
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try optional(key) { document.integer(type, at: $0) }
    }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        try optional(key) { document.integer(type, at: $0) }
    }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try optional(key) { document.integer(type, at: $0) }
    }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try optional(key) { document.integer(type, at: $0) }
    }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try optional(key) { document.integer(type, at: $0) }
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try optional(key) { document.integer(type, at: $0) }
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try optional(key) { document.integer(type, at: $0) }
    }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try optional(key) { document.integer(type, at: $0) }
    }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        let found = present(key)
        return found < 0 ? nil : try document.value(type, at: found, location, key)
    }

    private func decoder(_ key: Key) throws -> ElementDecoder {
        let found = try find(key)
        return ElementDecoder(location: location.part(found, key))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<Nested>
    {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { superDecoder(ElementKey.name("super")) }
    func superDecoder(forKey key: Key) -> any Decoder { superDecoder(key) }

    /// A missing value counts as null, which is the last node.
    private func superDecoder(_ key: some CodingKey) -> ElementDecoder {
        let found = document.find(key.stringValue, in: node)
        let value = found < 0 ? document.text.nodes.count - 1 : found
        return ElementDecoder(location: location.part(value, key))
    }
}
#endif
