/// A value, or nothing if it cannot be decoded, as tolerant types decode. Dictionaries are decoded in a random order,
/// so that their errors are not compared.
struct Maybe<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

extension Maybe: Equatable where Value: Equatable {}
extension Maybe: Hashable where Value: Hashable {}

/// A value that has a default if it is missing or cannot be decoded.
@propertyWrapper
struct Defaulted<Value: Decodable & ExpressibleByIntegerLiteral>: Decodable {
    var wrappedValue: Value

    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    init(from decoder: any Decoder) throws {
        wrappedValue = (try? decoder.singleValueContainer().decode(Value.self)) ?? 0
    }
}

/// The elements of an array that can be decoded.
@propertyWrapper
struct Lossless<Element: Decodable>: Decodable {
    var wrappedValue: [Element]

    init(from decoder: any Decoder) throws {
        wrappedValue = []
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            if let element = try container.decode(Maybe<Element>.self).value { wrappedValue.append(element) }
        }
    }
}

extension KeyedDecodingContainer {
    func decode<Value>(_ type: Defaulted<Value>.Type, forKey key: Key) throws -> Defaulted<Value> {
        try decodeIfPresent(type, forKey: key) ?? Defaulted(wrappedValue: 7)
    }
}
