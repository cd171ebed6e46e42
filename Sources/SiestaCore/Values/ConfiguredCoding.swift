package import Foundation
import JSONCoding

/// A decoder of JSON, with the configured decision whether Foundation does its work.
package struct ConfiguredDecoder: Sendable {
    private let decoder: JSONDecoder
    package let usesFoundation: Bool

    init(_ decoder: JSONDecoder = JSONDecoder(), usesFoundation: Bool = false) {
        (self.decoder, self.usesFoundation) = (decoder, usesFoundation)
    }

    /// Returns the same decision with another decoder, if there is one.
    package func replaced(by decoder: JSONDecoder?) -> ConfiguredDecoder {
        decoder.map { ConfiguredDecoder($0, usesFoundation: usesFoundation) } ?? self
    }

    package func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        try JSONCoding.decode(type, from: data, with: decoder, usingFoundation: usesFoundation)
    }
}

/// An encoder of JSON, with the configured decision whether Foundation does its work.
package struct ConfiguredEncoder: Sendable {
    private let encoder: JSONEncoder
    private let usesFoundation: Bool

    init(_ encoder: JSONEncoder, usesFoundation: Bool) {
        (self.encoder, self.usesFoundation) = (encoder, usesFoundation)
    }

    /// Returns the same decision with another encoder, if there is one.
    func replaced(by encoder: JSONEncoder?) -> ConfiguredEncoder {
        encoder.map { ConfiguredEncoder($0, usesFoundation: usesFoundation) } ?? self
    }

    package func encode(_ value: some Encodable) throws -> Data {
        try JSONCoding.encode(value, with: encoder, usingFoundation: usesFoundation)
    }

    /// Returns the JSON text of content of any type: bytes as they are, an encodable value, or a tree of Foundation's JSON
    /// types. Returns nil for other content.
    package func json(of content: Any) -> Data? {
        if let bytes = content as? Data { return bytes }
        if let content = content as? any Encodable { return try? encode(content) }
        guard JSONSerialization.isValidJSONObject(content) else { return nil }
        return try? JSONSerialization.data(withJSONObject: content)
    }
}
