package import Foundation
import JSONCoding

/// A `JSONValue` can be a part of your own `Codable` types. If the library decodes such a type on Linux, the numbers
/// are exact, and decoding takes time linear in the size of the text. On other platforms, this is true only if the
/// whole text is decoded as a `JSONValue`, a `[JSONValue]` or a `[String: JSONValue]`.
///
/// In all other cases, Foundation's `JSONDecoder` limits the numbers: it keeps 38 digits, may round a number with more
/// than 17 digits to an integer, and rejects exponents that neither `Double` nor `Decimal` can hold. The time that it
/// takes for each value grows with the depth of the value. For whole texts, use ``JSONValue/init(parsing:)`` and
/// ``JSONValue/data``, which are exact and many times faster.
extension JSONValue: Codable {
    /// Decodes a JSON value.
    ///
    /// - Throws: The error of the decoder if the decoder contains a value that is not JSON, such as a date. A
    ///   `DecodingError` if more than 100 arrays and objects are nested.
    public init(from decoder: any Decoder) throws {
        self = try Self.decoded(by: decoder) ?? Self(fromOther: decoder)
    }

    /// Decodes a value from a decoder that does not tell the kind of its value.
    ///
    /// Each attempt that fails costs time that is quadratic in the depth, because Foundation's errors contain the keys
    /// that lead to the value. An array needs no such attempt.
    private init(fromOther decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try Self.nested(in: decoder) { try container.decode([JSONValue].self) })
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if (try? decoder.container(keyedBy: AnyName.self)) == nil,
            let scalar = (try? container.decode(Bool.self)).map(JSONValue.bool)
                ?? Number(in: container).map({ .number($0) })
        {
            self = scalar
        } else {
            self = .object(try Self.nested(in: decoder) { try container.decode([String: JSONValue].self) })
        }
    }

    private struct AnyName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The number of arrays and objects around the value that is being decoded. Counting the keys of the decoder would
    /// take time that is quadratic in the depth.
    @TaskLocal private static var decodingDepth = 0

    private static func nested<Parts>(in decoder: any Decoder, _ decode: () throws -> Parts) throws -> Parts {
        guard decodingDepth < maximumDepth else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "More than \(maximumDepth) arrays and objects are nested."))
        }
        return try $decodingDepth.withValue(decodingDepth + 1) { try decode() }
    }

    /// Encodes this value.
    ///
    /// - Throws: An `EncodingError` if neither `Double` nor `Decimal` can hold a number exactly.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let number): try number.encode(in: &container)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSONValue.Number {
    fileprivate init?(in container: any SingleValueDecodingContainer) {
        let double = try? container.decode(Double.self)
        if let double, double == double.rounded() {
            if let value = try? container.decode(Int64.self) {
                self.init(value)
                return
            }
            if let value = try? container.decode(UInt64.self) {
                self.init(value)
                return
            }
        }
        self.init(double: double, decimal: try? container.decode(Decimal.self))
    }

    /// Creates a number from what a decoder returned for it: `decimal` has more digits, `double` a larger range.
    private init?(double: Double?, decimal: Decimal?) {
        if let exact = decimal.flatMap({ Self(text: $0.description) }), double == nil || exact.double == double {
            self = exact
        } else if let double {
            self.init(double)
        } else {
            return nil
        }
    }

    fileprivate func encode(in container: inout any SingleValueEncodingContainer) throws {
        if let int64 {
            try container.encode(int64)
        } else if let uint64 {
            try container.encode(uint64)
        } else if Self(double) == self {
            try container.encode(double)
        } else if let decimal = Decimal(string: description), Self(text: decimal.description) == self {
            try container.encode(decimal)
        } else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: container.codingPath, debugDescription: "The number has too many digits."))
        }
    }
}

extension JSONValue: JSONTree {
    package static func number(spelling: ArraySlice<UInt8>) -> JSONValue? {
        Number(spelling: spelling).map { .number($0) }
    }
}

// Foundation's decoder is not used for these types; see `fromOther`.

extension JSONValue: WholeJSON {
    package init(wholeJSON text: Data) throws {
        do {
            try self.init(parsing: text)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "\(error)", underlyingError: error))
        }
    }
}

extension [JSONValue]: WholeJSON {
    package init(wholeJSON text: Data) throws {
        guard let elements = try JSONValue(wholeJSON: text).elements else { throw DecodingError.noValue(of: Self.self) }
        self = elements
    }
}

extension [String: JSONValue]: WholeJSON {
    package init(wholeJSON text: Data) throws {
        guard let members = try JSONValue(wholeJSON: text).members else { throw DecodingError.noValue(of: Self.self) }
        self = members
    }
}

extension DecodingError {
    fileprivate static func noValue(of type: any Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: [], debugDescription: "The text contains a value of another kind."))
    }
}
