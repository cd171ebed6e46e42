#if os(Linux) || os(Android)
/// Decodes the elements of an array. It fits into the inline buffer of an existential value.
struct UnkeyedContainer {
    private let location: Location
    /// The index of the node of the next element.
    private var cursor: UInt32
    private var index: UInt32 = 0

    init(_ location: Location) {
        self.location = location
        cursor = UInt32(truncatingIfNeeded: location.node + 1)
    }

    @inline(__always) private var document: Document { location.document }

    /// Returns false, and moves to the next element, if the next value is null. Like Foundation, counts on at the
    /// end.
    private mutating func isPresent() -> Bool {
        guard !isAtEnd else {
            index &+= 1
            return false
        }
        guard document.text.nodes[Int(cursor)].kind == .null else { return true }
        advance()
        return false
    }

    private var key: ElementKey { .index(Int(index)) }

    @inline(__always)
    private func peek(_ type: any Any.Type) throws -> Int {
        if isAtEnd { throw ended(type) }
        return Int(cursor)
    }

    @inline(never)
    private func ended(_ type: any Any.Type) -> DecodingError {
        let isDecoder = type == (any Decoder).self
        let message =
            isDecoder ? "Cannot get superDecoder() -- unkeyed container is at end." : "Unkeyed container is at end."
        return .valueNotFound(type, document.context(location, key, message))
    }

    @inline(__always)
    private mutating func advance() {
        cursor = UInt32(truncatingIfNeeded: document.text.after(Int(cursor)))
        index &+= 1
    }

    @inline(__always)
    private mutating func take<T>(_ read: (Document, Int) -> T?) throws -> T {
        let node = try peek(T.self)
        guard let value = read(document, node) else { throw document.failure(T.self, at: node, location, key) }
        advance()
        return value
    }
}

extension UnkeyedContainer: UnkeyedDecodingContainer {
    var codingPath: [any CodingKey] { location.codingPath }
    var count: Int? { document.text.nodes[location.node].count }
    var isAtEnd: Bool { index >= document.text.nodes[location.node].offset }
    var currentIndex: Int { Int(index) }

    mutating func decodeNil() throws -> Bool {
        guard document.text.nodes[try peek(Never.self)].kind == .null else { return false }
        advance()
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try take { $0.bool(at: $1) } }
    mutating func decode(_ type: String.Type) throws -> String { try take { $0.string(at: $1) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try take { $0.double(at: $1) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try take { $0.float(at: $1) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try take { $0.integer(type, at: $1) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try take { $0.integer(type, at: $1) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try take { $0.integer(type, at: $1) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try take { $0.integer(type, at: $1) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try take { $0.integer(type, at: $1) } }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try take { $0.integer(type, at: $1) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try take { $0.integer(type, at: $1) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try take { $0.integer(type, at: $1) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try take { $0.integer(type, at: $1) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try take { $0.integer(type, at: $1) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try take { $0.integer(type, at: $1) } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try take { $0.integer(type, at: $1) } }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try document.value(type, at: peek(type), location, key)
        advance()
        return value
    }

    mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? { isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: String.Type) throws -> String? { isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? { isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? { isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { isPresent() ? try decode(type) : nil }
    // Foundation has no function for Int128 and UInt128, so that the protocol decides about these.
    mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { isPresent() ? try decode(type) : nil }
    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? { isPresent() ? try decode(type) : nil }

    private func decoder(_ type: any Any.Type) throws -> ElementDecoder {
        let node = try peek(type)
        return ElementDecoder(location: location.part(node, key))
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        let decoder = try decoder(KeyedDecodingContainer<Nested>.self)
        let container = try decoder.container(keyedBy: type)
        advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let decoder = try decoder((any UnkeyedDecodingContainer).self)
        let container = try decoder.unkeyedContainer()
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try decoder((any Decoder).self)
        advance()
        return decoder
    }
}
#endif
