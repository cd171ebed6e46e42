#if os(Linux) || os(Android)
/// Encodes one value of a document.
struct ElementEncoder: Encoder {
    let place: Place

    var codingPath: [any CodingKey] { place.encoderPath }
    var userInfo: [CodingUserInfoKey: Any] { place.document.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedOutput<Key>(place: place.container(.object)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedOutput(place: place.container(.array)) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ElementEncoder: SingleValueEncodingContainer {
    private var text: OutputText { place.text }

    func encodeNil() { if place.beginValue() { text.appendNull() } }
    func encode(_ value: Bool) { if place.beginValue() { text.append(value) } }
    func encode(_ value: String) { if place.beginValue() { text.append(value) } }
    func encode(_ value: Double) throws { if place.beginValue() { try place.document.write(double: value) } }
    func encode(_ value: Float) throws { if place.beginValue() { try place.document.write(float: value) } }
    func encode(_ value: Int) { if place.beginValue() { text.append(integer: Int64(value)) } }
    func encode(_ value: Int8) { if place.beginValue() { text.append(integer: Int64(value)) } }
    func encode(_ value: Int16) { if place.beginValue() { text.append(integer: Int64(value)) } }
    func encode(_ value: Int32) { if place.beginValue() { text.append(integer: Int64(value)) } }
    func encode(_ value: Int64) { if place.beginValue() { text.append(integer: value) } }
    func encode(_ value: Int128) { if place.beginValue() { text.append(raw: value.description.utf8.span) } }
    func encode(_ value: UInt) { if place.beginValue() { text.append(integer: UInt64(value)) } }
    func encode(_ value: UInt8) { if place.beginValue() { text.append(integer: UInt64(value)) } }
    func encode(_ value: UInt16) { if place.beginValue() { text.append(integer: UInt64(value)) } }
    func encode(_ value: UInt32) { if place.beginValue() { text.append(integer: UInt64(value)) } }
    func encode(_ value: UInt64) { if place.beginValue() { text.append(integer: value) } }
    func encode(_ value: UInt128) { if place.beginValue() { text.append(raw: value.description.utf8.span) } }
    func encode<T: Encodable>(_ value: T) throws { if place.beginValue() { try place.document.write(value, nil) } }
}
#endif
