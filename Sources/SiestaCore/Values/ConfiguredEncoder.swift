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

    /// Returns the JSON text of content of any type: bytes as they are, an encodable value, or a tree of Foundation's JSON
    /// types. Returns nil for other content.
    package func json(of content: Any) -> Data? {
        if let bytes = content as? Data { return bytes }
        if let content = content as? any Encodable { return try? encode(content) }
        guard JSONSerialization.isValidJSONObject(content) else { return nil }
        return try? JSONSerialization.data(withJSONObject: content)
    }
}
