#if os(Linux) || os(Android)
/// A dictionary with string keys. The conversion from snake case does not change these keys.
protocol StringDictionary {
    /// Reads a dictionary from an object.
    static func read(_ location: Location) throws -> Self
}

extension Dictionary: StringDictionary where Key == String, Value: Decodable {
    static func read(_ location: Location) throws -> [String: Value] {
        let document = location.document
        let object = document.text.nodes[location.node]
        var result = [String: Value](minimumCapacity: object.count)
        for pair in object.firstPair..<object.firstPair + object.count {
            let name = document.originalName(ofPair: pair)
            let element = Int(document.text.pairNodes[pair])
            let value = try document.value(Value.self, at: element, location, ElementKey.name(name))
            if result[name] == nil { result[name] = value }
        }
        return result
    }
}
#endif
