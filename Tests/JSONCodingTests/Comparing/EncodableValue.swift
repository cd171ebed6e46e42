import Foundation

/// A random value, and the functions of containers that the compiler chooses for its type.
struct EncodableValue {
    let keyed: (inout KeyedEncodingContainer<AnyKey>, AnyKey) throws -> Void
    let unkeyed: (inout any UnkeyedEncodingContainer) throws -> Void
    let single: (inout any SingleValueEncodingContainer) throws -> Void

    private init(
        _ keyed: @escaping (inout KeyedEncodingContainer<AnyKey>, AnyKey) throws -> Void,
        _ unkeyed: @escaping (inout any UnkeyedEncodingContainer) throws -> Void,
        _ single: @escaping (inout any SingleValueEncodingContainer) throws -> Void
    ) {
        (self.keyed, self.unkeyed, self.single) = (keyed, unkeyed, single)
    }

    static func random(_ random: inout SplitMix, _ isUnusual: Bool) -> EncodableValue {
        if isUnusual { return generic([Double.nan, .infinity, -.infinity][random.below(3)]) }
        switch random.below(3) {
        case 0: return integer(&random)
        case 1: return scalar(&random)
        default: return value(&random)
        }
    }

    private static func direct<T: DirectlyEncodable>(_ value: T) -> EncodableValue {
        EncodableValue({ try value.encode(&$0, $1) }, { try value.encode(&$0) }, { try value.encode(single: &$0) })
    }

    private static func generic<T: Encodable>(_ value: T) -> EncodableValue {
        EncodableValue({ try $0.encode(value, forKey: $1) }, { try $0.encode(value) }, { try $0.encode(value) })
    }

    private static func bits<T: FixedWidthInteger>(_ random: inout SplitMix) -> T {
        let number = T(truncatingIfNeeded: random.next()) &* T(truncatingIfNeeded: random.next())
        return number >> T(random.below(T.bitWidth))
    }

    private static func integer(_ random: inout SplitMix) -> EncodableValue {
        switch random.below(12) {
        case 0: direct(bits(&random) as Int)
        case 1: direct(bits(&random) as Int8)
        case 2: direct(bits(&random) as Int16)
        case 3: direct(bits(&random) as Int32)
        case 4: direct(bits(&random) as Int64)
        case 5: direct(bits(&random) as UInt)
        case 6: direct(bits(&random) as UInt8)
        case 7: direct(bits(&random) as UInt16)
        case 8: direct(bits(&random) as UInt32)
        case 9: direct(bits(&random) as UInt64)
        case 10: direct(bits(&random) as Int128)
        default: direct(bits(&random) as UInt128)
        }
    }

    private static func scalar(_ random: inout SplitMix) -> EncodableValue {
        switch random.below(6) {
        case 0: direct(random.below(2) == 0)
        case 1, 2: direct(text(&random))
        case 3, 4: direct(double(&random))
        default: direct(Float(Int16(truncatingIfNeeded: random.next())) / [1, 3, 1e20, 1e-20][random.below(4)])
        }
    }

    private static func value(_ random: inout SplitMix) -> EncodableValue {
        switch random.below(18) {
        case 0: generic(Date(timeIntervalSince1970: Double(random.below(300_000_000_000) - 20_000_000_000) / 7))
        case 1: generic(Date(timeIntervalSince1970: Double(random.below(2_000_000_000))))
        case 2: generic(Data((0..<random.below(9)).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
        case 3: generic(URL(fileURLWithPath: "/a\(random.below(9))/ü"))
        case 4: generic(Decimal(random.below(1000)) / 7)
        case 5: generic([text(&random), text(&random)])
        case 6: generic([bits(&random) as Int, 0])
        case 7: generic([double(&random), 0])
        case 8: generic(["myKey/": text(&random)])
        case 9: generic([random.below(9): text(&random)])
        case 10: generic(["innerKey": EncodingProbe()])
        case 11: generic(Int?.none)
        case 12: generic([double(&random), nil])
        case 13: generic(["keyA": ["keyB": ["keyC": 1]]])
        case 14: generic(Int?.some(3))
        case 15: generic(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
        case 16: generic(bits(&random) as Int)
        default: generic([[bits(&random) as UInt8], []])
        }
    }

    static func text(_ random: inout SplitMix) -> String {
        let parts = [
            "a", "/", "\"", "\\", "\u{0}", "\n", "\u{1F}", "\u{7F}", "é", "日本語", "😀", "\u{2028}", "a longer text",
            "\u{FEFF}",
            "\u{301}", "https://example.com/", " ",
        ]
        return (0..<random.below(7)).map { _ in parts[random.below(parts.count)] }.joined()
    }

    /// Returns a finite number: any, a decimal number, or an integer.
    static func double(_ random: inout SplitMix) -> Double {
        let integer = Double(Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(64)))
        switch random.below(4) {
        case 0:
            let any = Double(bitPattern: random.next())
            return any.isFinite ? any : -0.0
        case 1: return integer / [10, 100, 1000, 1e6, 1e9][random.below(5)]
        case 2: return integer
        default:
            return [0, -0.0, 1e15, 1e16, 0x1p53, -0x1p53, 0x1p53 - 1, .leastNonzeroMagnitude, 1e-4, 1e-5, 1e22, 0.1][
                random.below(12)]
        }
    }
}

/// A type for which containers have a function of their own.
private protocol DirectlyEncodable: Sendable {
    func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws
    func encode(_ container: inout any UnkeyedEncodingContainer) throws
    func encode(single container: inout any SingleValueEncodingContainer) throws
}

extension Int: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}

extension Int8: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}

extension Int16: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}

extension Int32: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}

extension Int64: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}

extension UInt: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}

extension UInt8: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}

extension UInt16: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}

extension UInt32: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}

extension UInt64: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}

extension Int128: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}

extension UInt128: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}

extension Bool: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}

extension String: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}

extension Double: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}

extension Float: DirectlyEncodable {
    fileprivate func encode(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        try container.encode(self, forKey: key)
    }
    fileprivate func encode(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    fileprivate func encode(single container: inout any SingleValueEncodingContainer) throws {
        try container.encode(self)
    }
}
