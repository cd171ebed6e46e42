import Foundation

/// A type that a probe decodes, through the functions that the compiler chooses for this type.
struct DecodableType: Sendable {
    let decode: @Sendable (KeyedDecodingContainer<AnyKey>, AnyKey) throws -> Any
    let decodeIfPresent: @Sendable (KeyedDecodingContainer<AnyKey>, AnyKey) throws -> Any
    let decodeNext: @Sendable (inout any UnkeyedDecodingContainer) throws -> Any
    let decodeNextIfPresent: @Sendable (inout any UnkeyedDecodingContainer) throws -> Any
    let decodeSingle: @Sendable (any SingleValueDecodingContainer) throws -> Any

    func decode(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> Any { try decode(container, key) }
    func decodeIfPresent(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> Any {
        try decodeIfPresent(container, key)
    }
    func decode(_ container: inout any UnkeyedDecodingContainer) throws -> Any { try decodeNext(&container) }
    func decodeIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> Any {
        try decodeNextIfPresent(&container)
    }
    func decode(_ container: any SingleValueDecodingContainer) throws -> Any { try decodeSingle(container) }
}

enum DecodableTypes {
    static func random(_ random: inout SplitMix) -> DecodableType { all[random.below(all.count)] }

    /// All types; those that are decoded most are there more than once.
    static let all: [DecodableType] = [
        DecodableType(
            decode: { try $0.decode(Bool.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(Bool.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(Bool.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(Bool.self) as Any },
            decodeSingle: { try $0.decode(Bool.self) }),
        DecodableType(
            decode: { try $0.decode(String.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(String.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(String.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(String.self) as Any },
            decodeSingle: { try $0.decode(String.self) }),
        DecodableType(
            decode: { try $0.decode(Double.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(Double.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(Double.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(Double.self) as Any },
            decodeSingle: { try $0.decode(Double.self) }),
        DecodableType(
            decode: { try $0.decode(Float.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(Float.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(Float.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(Float.self) as Any },
            decodeSingle: { try $0.decode(Float.self) }),
        DecodableType(
            decode: { try $0.decode(Int.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(Int.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(Int.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(Int.self) as Any }, decodeSingle: { try $0.decode(Int.self) }),
        DecodableType(
            decode: { try $0.decode(Int8.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(Int8.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(Int8.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(Int8.self) as Any },
            decodeSingle: { try $0.decode(Int8.self) }),
        DecodableType(
            decode: { try $0.decode(Int16.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(Int16.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(Int16.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(Int16.self) as Any },
            decodeSingle: { try $0.decode(Int16.self) }),
        DecodableType(
            decode: { try $0.decode(Int32.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(Int32.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(Int32.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(Int32.self) as Any },
            decodeSingle: { try $0.decode(Int32.self) }),
        DecodableType(
            decode: { try $0.decode(Int64.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(Int64.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(Int64.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(Int64.self) as Any },
            decodeSingle: { try $0.decode(Int64.self) }),
        DecodableType(
            decode: { try $0.decode(Int128.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(Int128.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(Int128.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(Int128.self) as Any },
            decodeSingle: { try $0.decode(Int128.self) }),
        DecodableType(
            decode: { try $0.decode(UInt.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(UInt.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(UInt.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(UInt.self) as Any },
            decodeSingle: { try $0.decode(UInt.self) }),
        DecodableType(
            decode: { try $0.decode(UInt8.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(UInt8.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(UInt8.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(UInt8.self) as Any },
            decodeSingle: { try $0.decode(UInt8.self) }),
        DecodableType(
            decode: { try $0.decode(UInt16.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(UInt16.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(UInt16.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(UInt16.self) as Any },
            decodeSingle: { try $0.decode(UInt16.self) }),
        DecodableType(
            decode: { try $0.decode(UInt32.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(UInt32.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(UInt32.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(UInt32.self) as Any },
            decodeSingle: { try $0.decode(UInt32.self) }),
        DecodableType(
            decode: { try $0.decode(UInt64.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(UInt64.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(UInt64.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(UInt64.self) as Any },
            decodeSingle: { try $0.decode(UInt64.self) }),
        DecodableType(
            decode: { try $0.decode(UInt128.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(UInt128.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(UInt128.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(UInt128.self) as Any },
            decodeSingle: { try $0.decode(UInt128.self) }),
        DecodableType(
            decode: { try $0.decode(Int.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(Int.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(Int.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(Int.self) as Any }, decodeSingle: { try $0.decode(Int.self) }),
        DecodableType(
            decode: { try $0.decode(String.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(String.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(String.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(String.self) as Any },
            decodeSingle: { try $0.decode(String.self) }),
        DecodableType(
            decode: { try $0.decode(Double.self, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(Double.self, forKey: $1) as Any },
            decodeNext: { try $0.decode(Double.self) },
            decodeNextIfPresent: { try $0.decodeIfPresent(Double.self) as Any },
            decodeSingle: { try $0.decode(Double.self) }),
        generic(Decimal.self),
        generic(Date.self),
        generic(Data.self),
        generic(URL.self),
        generic([String].self),
        generic([Int].self),
        generic([Double].self),
        dictionary([String: Int].self),
        dictionary([String: [String: String]].self),
        generic(Optional<Int>.self),
        generic([Int?].self),
        generic([Item].self),
        generic(Item.self),
        generic(Probe.self),
        generic(Probe.self),
        generic(Probe.self),
        generic([Probe].self),
        generic(Loose.self),
        generic([Loose].self),
        dictionary([String: Loose].self),
        generic(Optional<Double>.self),
        dictionary([Int: String].self),
        dictionary([String: [Item]].self),
    ]

    /// A dictionary decodes its values in a random order, so that only the success counts.
    private static func dictionary<T: Decodable & Sendable>(_ type: T.Type) -> DecodableType {
        DecodableType(
            decode: { (try? $0.decode(type, forKey: $1)) as Any },
            decodeIfPresent: { (try? $0.decodeIfPresent(type, forKey: $1)) as Any },
            decodeNext: { (try? $0.decode(type)) as Any },
            decodeNextIfPresent: { (try? $0.decodeIfPresent(type)) as Any },
            decodeSingle: { (try? $0.decode(type)) as Any })
    }

    private static func generic<T: Decodable & Sendable>(_ type: T.Type) -> DecodableType {
        DecodableType(
            decode: { try $0.decode(type, forKey: $1) },
            decodeIfPresent: { try $0.decodeIfPresent(type, forKey: $1) as Any },
            decodeNext: { try $0.decode(type) }, decodeNextIfPresent: { try $0.decodeIfPresent(type) as Any },
            decodeSingle: { try $0.decode(type) })
    }
}

/// A small structure with keys of both styles.
struct Item: Decodable, Sendable {
    var id: Int
    var name: String?
    var userName: String?
    var value: Double?
}
/// Decodes a number, a string, or nothing, as types for values of several kinds do.
struct Loose: Decodable, Sendable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Int.self) {
            text = "Int \(value)"
        } else if let value = try? container.decode(Double.self) {
            text = "Double \(value)"
        } else if let value = try? container.decode(String.self) {
            text = "String \(value)"
        } else if let value = try? container.decode([Loose].self) {
            // The text of a text would be twice as long at each level.
            text = "[" + value.map(\.text).joined(separator: ",") + "]"
        } else {
            let values = (try? container.decode([String: Loose].self)).map { Transcript.sorted($0) } ?? []
            text = "{" + values.map { "\($0.key):\($0.value.text)" }.joined(separator: ",") + "}"
        }
    }
}
