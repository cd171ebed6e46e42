import Foundation

/// Texts of values and errors, which differ if anything about the values or errors differs.
enum Transcript {
    /// Returns a text of the value that a function returns, or of the error that it throws.
    static func outcome<Value>(_ body: () throws -> Value) -> String {
        do {
            let value = try body()
            return (value as? [String])?.joined(separator: "\n") ?? text(value)
        } catch {
            return "! " + text(error: error)
        }
    }

    static func text(_ value: Any) -> String {
        switch value {
        case let value as NSNumber where type(of: value as Any) is NSNumber.Type: number(value)
        case let value as [String: Any]:
            "{" + value.map { text($0.key) + ":" + text($0.value) }.sorted().joined(separator: ",") + "}"
        // The order of a dictionary depends on the order in which it was filled.
        case let value as [Int: String]: "\(value.sorted { $0.key < $1.key })"
        case let value as [Any]: "[" + value.map { text($0) }.joined(separator: ",") + "]"
        case let value as String: "'" + value.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "'"
        case let value as Double: "Double \(String(value.bitPattern, radix: 16))"
        case let value as Float: "Float \(String(value.bitPattern, radix: 16))"
        case let value as Date: "Date \(String(value.timeIntervalSinceReferenceDate.bitPattern, radix: 16))"
        case let value as Data: "Data \(Array(value))"
        default: "\(type(of: value)) \(value)"
        }
    }

    static func text(error: any Error) -> String {
        let description = String(describing: error)  // Of `JSONError` of Foundation, this contains the position.
        guard let error = error as? DecodingError else {
            let error = error as NSError
            let userInfo = error.userInfo.map { "\($0.key)=\($0.value)" }.sorted()
            return "\(description) \(error) \(error.domain) \(error.code) \(userInfo)"
        }
        switch error {
        case .typeMismatch(let type, let context): return "mismatch \(type) \(text(context)) \(error)"
        case .valueNotFound(let type, let context): return "no value \(type) \(text(context)) \(error)"
        case .keyNotFound(let key, let context): return "no key \(text(key)) \(text(context)) \(error)"
        case .dataCorrupted(let context): return "corrupted \(text(context)) \(error)"
        @unknown default: return "\(error)"
        }
    }

    /// Returns the elements of a dictionary in an order that depends on the bytes of the keys only.
    static func sorted<Value>(_ dictionary: [String: Value]) -> [(key: String, value: Value)] {
        dictionary.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    static func text(path: [any CodingKey]) -> String { path.map { text($0) }.joined(separator: "/") }

    private static func text(_ context: DecodingError.Context) -> String {
        let underlying = context.underlyingError.map { text(error: $0) } ?? "-"
        return "at \(text(path: context.codingPath)) \(context.debugDescription) \(underlying)"
    }

    private static func text(_ key: any CodingKey) -> String {
        "\(key.stringValue)|\(key.intValue.map { "\($0)" } ?? "-")|\(key.description)|\(key.debugDescription)"
    }

    private static func number(_ value: NSNumber) -> String {
        let any: Any = value
        let casts: [Any?] = [
            any as? Int, any as? Bool, any as? Double, any as? String, any as? Decimal, any as? UInt8, any as? Int64,
            any as? UInt64, any as? Float, any as? Int32, any as? NSDecimalNumber, any as? NSString,
        ]
        let encoding = String(cString: value.objCType)
        let bits = String(value.doubleValue.bitPattern, radix: 16)
        return "\(type(of: value)) \(encoding) \(value) \(bits) \(value.int64Value) \(value.uint64Value) \(casts)"
    }
}

extension Transcript {
    /// Returns the first lines that differ, or nil if the texts have the same bytes.
    static func difference(_ result: String, _ expected: String) -> String? {
        guard !result.utf8.elementsEqual(expected.utf8) else { return nil }
        let lines = result.split(separator: "\n", omittingEmptySubsequences: false)
        let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
        for (line, expectedLine) in zip(lines, expectedLines) where !line.utf8.elementsEqual(expectedLine.utf8) {
            return "\(line)\nexpected: \(expectedLine)"
        }
        return "\(lines.count) lines instead of \(expectedLines.count)"
    }
}

extension Transcript {
    /// Returns a text of all parts of a value. The elements of sets and dictionaries are in the order of their texts.
    static func text(reflecting value: Any) -> String {
        switch value {
        case is String, is Double, is Float, is Date, is Data, is URL, is Decimal, is any FixedWidthInteger:
            return text(value)
        default: break
        }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle != nil, mirror.displayStyle != .enum || !mirror.children.isEmpty else {
            return "\(type(of: value)) \(value)"
        }
        var parts = (mirror.superclassMirror?.children.map { $0 } ?? []) + mirror.children
        if mirror.displayStyle == .dictionary || mirror.displayStyle == .set {
            return "{\(parts.map { text(reflecting: $0.value) }.sorted().joined(separator: ","))}"
        }
        if mirror.displayStyle == .collection { parts = parts.map { (nil, $0.value) } }
        return "(\(parts.map { ($0.label ?? "") + ":" + text(reflecting: $0.value) }.joined(separator: ",")))"
    }
}
