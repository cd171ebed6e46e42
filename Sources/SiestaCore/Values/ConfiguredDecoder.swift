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
