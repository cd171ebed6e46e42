#if os(Linux) || os(Android)
/// Writes the elements of an array.
struct UnkeyedOutput: UnkeyedEncodingContainer {
    let place: Place

    var codingPath: [any CodingKey] { place.containerPath }
    private var text: OutputText { place.text }
    private var document: OutputDocument { place.document }

    var count: Int { place.elementCount }

    func encodeNil() { if place.beginElement() { text.appendNull() } }
    func encode(_ value: Bool) { if place.beginElement() { text.append(value) } }
    func encode(_ value: String) { if place.beginElement() { text.append(value) } }
    func encode(_ value: Double) throws { if place.beginElement() { try document.write(double: value) } }
    func encode(_ value: Float) throws { if place.beginElement() { try document.write(float: value) } }
    func encode(_ value: Int) { if place.beginElement() { text.append(integer: Int64(value)) } }
    func encode(_ value: Int8) { if place.beginElement() { text.append(integer: Int64(value)) } }
    func encode(_ value: Int16) { if place.beginElement() { text.append(integer: Int64(value)) } }
    func encode(_ value: Int32) { if place.beginElement() { text.append(integer: Int64(value)) } }
    func encode(_ value: Int64) { if place.beginElement() { text.append(integer: value) } }
    func encode(_ value: Int128) { if place.beginElement() { text.append(raw: value.description.utf8.span) } }
    func encode(_ value: UInt) { if place.beginElement() { text.append(integer: UInt64(value)) } }
    func encode(_ value: UInt8) { if place.beginElement() { text.append(integer: UInt64(value)) } }
    func encode(_ value: UInt16) { if place.beginElement() { text.append(integer: UInt64(value)) } }
    func encode(_ value: UInt32) { if place.beginElement() { text.append(integer: UInt64(value)) } }
    func encode(_ value: UInt64) { if place.beginElement() { text.append(integer: value) } }
    func encode(_ value: UInt128) { if place.beginElement() { text.append(raw: value.description.utf8.span) } }

    func encode<T: Encodable>(_ value: T) throws {
        if place.beginElement() { try document.write(value, lastKey) }
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        let hasBegun = place.beginElement()
        return KeyedEncodingContainer(KeyedOutput<NestedKey>(place: place.part(.object, lastKey, hasBegun)))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let hasBegun = place.beginElement()
        return UnkeyedOutput(place: place.part(.array, lastKey, hasBegun))
    }

    /// Foundation adds the value when the encoder is released, and counts it then. Therefore it must encode.
    func superEncoder() -> any Encoder {
        defer { place.countLate() }
        return ElementEncoder(place: place.lost(.value, ElementKey.index(count)))
    }

    private var lastKey: ElementKey { .index(count - 1) }
}
#endif
