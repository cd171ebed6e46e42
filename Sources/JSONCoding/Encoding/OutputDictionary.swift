#if os(Linux) || os(Android)
/// A dictionary with string keys. The conversion to snake case does not change these keys.
protocol OutputDictionary {
    /// Writes the dictionary as an object.
    func write(_ encoder: ElementEncoder) throws
}

extension Dictionary: OutputDictionary where Key == String, Value: Encodable {
    func write(_ encoder: ElementEncoder) throws {
        let object = encoder.place.container(.object)
        for (name, value) in self where object.beginValue(name: name) {
            try object.document.write(value, ElementKey.name(name))
        }
    }
}
#endif
