/// The part of Structured Fields (RFC 9651) that the rate limit fields use: lists and dictionaries of items. A field with
/// an inner list, a date or a display string is invalid here.
enum StructuredField {
    /// A value without parameters. Only integers and strings are kept; the other types are only checked.
    enum Value: Equatable {
        case integer(Int)
        case string(String)
        case other
    }

    struct Item: Equatable {
        var value: Value
        var parameters: [String: Value] = [:]

        /// Returns a parameter if it is an integer of at least 0.
        func count(_ name: String) -> Int? { parameters[name]?.count }
    }

    /// Returns nil if the text is not a list. An empty text is an empty list.
    static func list(_ text: String) -> [Item]? {
        var items: [Item] = []
        let isList = readMembers(text) { cursor in
            guard let item = cursor.takeItem() else { return false }
            items.append(item)
            return true
        }
        return isList ? items : nil
    }

    /// Returns nil if the text is not a dictionary. If a key is repeated, the last value counts.
    static func dictionary(_ text: String) -> [String: Item]? {
        var members: [String: Item] = [:]
        let isDictionary = readMembers(text) { cursor in
            guard let key = cursor.takeKey(), let item = cursor.takeMember() else { return false }
            members[key] = item
            return true
        }
        return isDictionary ? members : nil
    }

    /// Calls `read` for each member between commas. Returns false at the first error (RFC 9651 §4.2.1).
    private static func readMembers(_ text: String, _ read: (inout ByteCursor) -> Bool) -> Bool {
        guard var cursor = ByteCursor(text) else { return false }
        cursor.skipSpaces()
        if cursor.isAtEnd { return true }
        repeat {
            cursor.skipSpaces()
            guard read(&cursor) else { return false }
            cursor.skipSpaces()
        } while cursor.skip(",")
        return cursor.isAtEnd
    }
}

extension StructuredField.Value {
    /// The value if it is an integer of at least 0.
    var count: Int? {
        guard case .integer(let number) = self, number >= 0 else { return nil }
        return number
    }
}

extension ByteCursor {
    fileprivate mutating func takeItem() -> StructuredField.Item? {
        takeValue().flatMap { takeParameters(of: $0) }
    }

    /// Takes the value of a member of a dictionary. A key without a value means true (RFC 9651 §3.2).
    fileprivate mutating func takeMember() -> StructuredField.Item? {
        skip("=") ? takeItem() : takeParameters(of: .other)
    }

    fileprivate mutating func takeKey() -> String? {
        guard let first = next, first.isLowercase || first == UInt8(ascii: "*") else { return nil }
        let key = take { $0.isLowercase || $0.isASCIIDigit || "_-.*".utf8.contains($0) }
        return String(decoding: key, as: UTF8.self)
    }

    private mutating func takeParameters(of value: StructuredField.Value) -> StructuredField.Item? {
        var item = StructuredField.Item(value: value)
        while skip(";") {
            _ = take { $0 == UInt8(ascii: " ") }
            guard let key = takeKey(), let value = skip("=") ? takeValue() : .other else { return nil }
            item.parameters[key] = value
        }
        return item
    }

    private mutating func takeValue() -> StructuredField.Value? {
        switch next {
        case UInt8(ascii: "\""): return takeString()
        case UInt8(ascii: "?"): return skip("?0") || skip("?1") ? .other : nil
        case UInt8(ascii: ":"):
            _ = takeFirst()
            _ = take { $0.isASCIIAlphanumeric || "+/=".utf8.contains($0) }
            return skip(":") ? .other : nil
        case let first? where first.isASCIIDigit || first == UInt8(ascii: "-"): return takeNumber()
        case let first? where first.isASCIIAlphanumeric || first == UInt8(ascii: "*"):
            _ = take { $0.isTokenCharacter || ":/".utf8.contains($0) }
            return .other
        default: return nil
        }
    }

    /// Integers have up to 15 digits. Decimals have up to 12 digits before the point and up to 3 after it.
    private mutating func takeNumber() -> StructuredField.Value? {
        let isNegative = skip("-")
        let digits = take(while: \.isASCIIDigit)
        guard 1...15 ~= digits.count else { return nil }
        if skip(".") {
            return digits.count <= 12 && 1...3 ~= take(while: \.isASCIIDigit).count ? .other : nil
        }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return .integer(isNegative ? -number : number)
    }

    private mutating func takeString() -> StructuredField.Value? {
        var bytes: [UInt8] = []
        _ = takeFirst()
        while let byte = takeFirst() {
            switch byte {
            case UInt8(ascii: "\""): return .string(String(decoding: bytes, as: UTF8.self))
            case UInt8(ascii: "\\"):
                guard let escaped = takeFirst(), "\"\\".utf8.contains(escaped) else { return nil }
                bytes.append(escaped)
            case 0x20..<0x7F: bytes.append(byte)
            default: return nil
            }
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var isLowercase: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
}
