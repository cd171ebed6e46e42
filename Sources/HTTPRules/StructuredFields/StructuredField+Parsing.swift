extension StructuredField {
    /// The default maximum size of a field, in bytes. It suffices for the minimum sizes that RFC 9651 demands of
    /// parsers.
    package static let limit = 1 << 18

    /// Parses a list (§4.2.1). An empty text is an empty list. Returns nil if the text is not a list, or has more than
    /// `limit` bytes.
    package static func list(_ text: String, limit: Int = limit) -> [Member]? {
        var members: [Member] = []
        let isList = readMembers(text, limit) { cursor in
            guard let member = cursor.takeMember() else { return false }
            members.append(member)
            return true
        }
        return isList ? members : nil
    }

    /// Parses a dictionary (§4.2.2). An empty text is an empty dictionary. If a key is repeated, the last value counts.
    /// Returns nil if the text is not a dictionary, or has more than `limit` bytes.
    package static func dictionary(_ text: String, limit: Int = limit) -> Dictionary? {
        var members = Dictionary()
        let isDictionary = readMembers(text, limit) { cursor in
            guard let key = cursor.takeKey(), let member = cursor.takeValueOfKey() else { return false }
            members[key] = member
            return true
        }
        return isDictionary ? members : nil
    }

    /// Parses an item (§4.2.3). Returns nil if the text is not an item, or has more than `limit` bytes.
    package static func item(_ text: String, limit: Int = limit) -> Item? {
        guard var cursor = ByteCursor(text, limit: limit) else { return nil }
        cursor.skipSpacesOnly()
        guard let item = cursor.takeItem() else { return nil }
        cursor.skipSpacesOnly()
        return cursor.isAtEnd ? item : nil
    }

    /// Calls `read` for each member between commas. Returns false at the first error. A comma at the end is an error.
    private static func readMembers(_ text: String, _ limit: Int, _ read: (inout ByteCursor) -> Bool) -> Bool {
        guard var cursor = ByteCursor(text, limit: limit) else { return false }
        cursor.skipSpacesOnly()
        if cursor.isAtEnd { return true }
        while read(&cursor) {
            cursor.skipSpaces()
            if cursor.isAtEnd { return true }
            guard cursor.skip(",") else { return false }
            cursor.skipSpaces()
        }
        return false
    }
}

extension ByteCursor {
    /// Skips spaces. Tabs are allowed only around commas.
    fileprivate mutating func skipSpacesOnly() { _ = take { $0 == UInt8(ascii: " ") } }

    fileprivate mutating func takeMember() -> StructuredField.Member? {
        if next == UInt8(ascii: "(") { return takeInnerList().map { .innerList($0) } }
        return takeItem().map { .item($0) }
    }

    /// Takes the value of a key of a dictionary. A key without a value means true (§3.2).
    fileprivate mutating func takeValueOfKey() -> StructuredField.Member? {
        if skip("=") { return takeMember() }
        return takeParameters().map { .item(StructuredField.Item(.boolean(true), $0)) }
    }

    private mutating func takeInnerList() -> StructuredField.InnerList? {
        var items: [StructuredField.Item] = []
        guard skip("(") else { return nil }
        while true {
            skipSpacesOnly()
            if skip(")") { return takeParameters().map { StructuredField.InnerList(items, $0) } }
            guard let item = takeItem() else { return nil }
            items.append(item)
            guard next == UInt8(ascii: " ") || next == UInt8(ascii: ")") else { return nil }
        }
    }

    fileprivate mutating func takeItem() -> StructuredField.Item? {
        guard let value = takeBareItem(), let parameters = takeParameters() else { return nil }
        return StructuredField.Item(value, parameters)
    }

    private mutating func takeParameters() -> StructuredField.Parameters? {
        var parameters = StructuredField.Parameters()
        while skip(";") {
            skipSpacesOnly()
            guard let key = takeKey(), let value = skip("=") ? takeBareItem() : .boolean(true) else { return nil }
            parameters[key] = value
        }
        return parameters
    }

    fileprivate mutating func takeKey() -> String? {
        guard let first = next, first.isLowercase || first == UInt8(ascii: "*") else { return nil }
        return String(decoding: take(while: \.isKeyCharacter), as: UTF8.self)
    }

    private mutating func takeBareItem() -> StructuredField.BareItem? {
        switch next {
        case UInt8(ascii: "\""): return takeString()
        case UInt8(ascii: "?"): return skip("?1") ? .boolean(true) : skip("?0") ? .boolean(false) : nil
        case UInt8(ascii: ":"): return takeByteSequence()
        case UInt8(ascii: "@"):
            _ = takeFirst()
            guard case .integer(let seconds)? = takeNumber() else { return nil }
            return .date(seconds)
        case UInt8(ascii: "%"): return takeDisplayString()
        case let first? where first.isASCIIDigit || first == UInt8(ascii: "-"): return takeNumber()
        case let first? where first.isTokenStart:
            return .token(String(decoding: take(while: \.isInToken), as: UTF8.self))
        default: return nil
        }
    }

    /// Integers have up to 15 digits. Decimals have up to 12 digits before the point and up to 3 after it.
    private mutating func takeNumber() -> StructuredField.BareItem? {
        let isNegative = skip("-")
        let digits = take(while: \.isASCIIDigit)
        guard 1...15 ~= digits.count else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard skip(".") else { return .integer(isNegative ? -number : number) }
        let fraction = take(while: \.isASCIIDigit)
        guard digits.count <= 12, 1...3 ~= fraction.count else { return nil }
        let padded = Array(fraction) + Array(repeating: UInt8(ascii: "0"), count: 3 - fraction.count)
        let thousandths = padded.reduce(number) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return .decimal(thousandths: isNegative ? -thousandths : thousandths)
    }

    private mutating func takeString() -> StructuredField.BareItem? {
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

    private mutating func takeByteSequence() -> StructuredField.BareItem? {
        _ = takeFirst()
        let text = take { $0.isASCIIAlphanumeric || "+/=".utf8.contains($0) }
        guard skip(":"), let bytes = Base64.decode(text) else { return nil }
        return .byteSequence(bytes)
    }

    /// Takes a text with escapes of two lower case hexadecimal digits (§4.2.10).
    private mutating func takeDisplayString() -> StructuredField.BareItem? {
        var bytes: [UInt8] = []
        guard skip("%\"") else { return nil }
        while let byte = takeFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(validating: bytes, as: UTF8.self).map { .displayString($0) }
            case UInt8(ascii: "%"):
                guard let high = takeFirst()?.hexadecimalDigit, let low = takeFirst()?.hexadecimalDigit else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case 0x20..<0x7F: bytes.append(byte)
            default: return nil
            }
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var isLowercase: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }

    /// The value of a digit, of which the letters are in lower case; nil for another character.
    fileprivate var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// True if the character may be part of a key (RFC 9651 §3.1.2).
    var isKeyCharacter: Bool { isLowercase || isASCIIDigit || "_-.*".utf8.contains(self) }

    /// True if a token may begin with the character (RFC 9651 §3.3.4).
    var isTokenStart: Bool { isASCIIAlphanumeric && !isASCIIDigit || self == UInt8(ascii: "*") }

    /// True if the character may be part of a token of Structured Fields.
    var isInToken: Bool { isTokenCharacter || self == UInt8(ascii: ":") || self == UInt8(ascii: "/") }
}
