#if os(Linux) || os(Android)
/// Writes the values of an object.
struct KeyedOutput<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: Place

    var codingPath: [any CodingKey] { place.containerPath }
    private var text: OutputText { place.text }
    private var document: OutputDocument { place.document }

    func encodeNil(forKey key: Key) { if place.beginValue(key) { text.appendNull() } }
    func encode(_ value: Bool, forKey key: Key) { if place.beginValue(key) { text.append(value) } }
    func encode(_ value: String, forKey key: Key) { if place.beginValue(key) { text.append(value) } }

    func encode(_ value: Double, forKey key: Key) throws {
        if place.beginValue(key) { try document.write(double: value) }
    }

    func encode(_ value: Float, forKey key: Key) throws {
        if place.beginValue(key) { try document.write(float: value) }
    }

    func encode(_ value: Int, forKey key: Key) {
        if place.beginValue(key) { text.append(integer: Int64(value)) }
    }

    func encode(_ value: Int8, forKey key: Key) {
        if place.beginValue(key) { text.append(integer: Int64(value)) }
    }

    func encode(_ value: Int16, forKey key: Key) {
        if place.beginValue(key) { text.append(integer: Int64(value)) }
    }

    func encode(_ value: Int32, forKey key: Key) {
        if place.beginValue(key) { text.append(integer: Int64(value)) }
    }

    func encode(_ value: Int64, forKey key: Key) {
        if place.beginValue(key) { text.append(integer: value) }
    }

    func encode(_ value: Int128, forKey key: Key) {
        if place.beginValue(key) { text.append(raw: value.description.utf8.span) }
    }

    func encode(_ value: UInt, forKey key: Key) {
        if place.beginValue(key) { text.append(integer: UInt64(value)) }
    }

    func encode(_ value: UInt8, forKey key: Key) {
        if place.beginValue(key) { text.append(integer: UInt64(value)) }
    }

    func encode(_ value: UInt16, forKey key: Key) {
        if place.beginValue(key) { text.append(integer: UInt64(value)) }
    }

    func encode(_ value: UInt32, forKey key: Key) {
        if place.beginValue(key) { text.append(integer: UInt64(value)) }
    }

    func encode(_ value: UInt64, forKey key: Key) {
        if place.beginValue(key) { text.append(integer: value) }
    }

    func encode(_ value: UInt128, forKey key: Key) {
        if place.beginValue(key) { text.append(raw: value.description.utf8.span) }
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        if place.beginValue(key) { try document.write(value, key) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(KeyedOutput<NestedKey>(place: place.part(.object, key, place.beginValue(key))))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        UnkeyedOutput(place: place.part(.array, key, place.beginValue(key)))
    }

    func superEncoder() -> any Encoder { superEncoder(ElementKey.name("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key) }

    /// Returns an encoder whose value ends when the object is used next.
    private func superEncoder(_ key: some CodingKey) -> ElementEncoder {
        ElementEncoder(place: place.part(.value, key, place.beginValue(key)))
    }
}
#endif
