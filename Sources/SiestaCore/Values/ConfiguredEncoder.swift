package import Foundation
import JSONCoding

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
}
