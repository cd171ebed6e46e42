extension StructuredField {
    /// Returns the text of a list (§4.1.1). Returns nil if a value cannot be serialized, and for an empty list, for
    /// which no field is sent.
    package static func text(of list: [Member]) -> String? {
        list.isEmpty ? nil : joined(list.map(\.text), ", ")
    }

    /// Returns the text of a dictionary (§4.1.2). Returns nil if a key or a value cannot be serialized, and for an
    /// empty dictionary, for which no field is sent.
    package static func text(of dictionary: Dictionary) -> String? {
        guard !dictionary.keys.isEmpty else { return nil }
        let members = dictionary.keys.map { key -> String? in
            guard isKey(key), let member = dictionary[key] else { return nil }
            if case .item(let item) = member, item.value == .boolean(true) {
                return item.parameters.text.map { key + $0 }
            }
            return member.text.map { "\(key)=\($0)" }
        }
        return joined(members, ", ")
    }

    /// Returns the text of an item (§4.1.3); nil if it cannot be serialized.
    package static func text(of item: Item) -> String? { item.text }

    fileprivate static func joined(_ texts: [String?], _ separator: String) -> String? {
        let known = texts.compactMap { $0 }
        return known.count == texts.count ? known.joined(separator: separator) : nil
    }

    fileprivate static func isKey(_ key: String) -> Bool {
        guard let first = key.utf8.first, first.isKeyCharacter else { return false }
        return !first.isASCIIDigit && !"_-.".utf8.contains(first) && key.utf8.allSatisfy(\.isKeyCharacter)
    }
}

extension StructuredField.Member {
    fileprivate var text: String? {
        switch self {
        case .item(let item): item.text
        case .innerList(let list): list.text
        }
    }
}

extension StructuredField.InnerList {
    fileprivate var text: String? {
        guard let items = StructuredField.joined(items.map(\.text), " "), let parameters = parameters.text else {
            return nil
        }
        return "(\(items))\(parameters)"
    }
}

extension StructuredField.Item {
    fileprivate var text: String? {
        guard let value = value.serialized, let parameters = parameters.text else { return nil }
        return value + parameters
    }
}

extension StructuredField.Members where Value == StructuredField.BareItem {
    /// The text of parameters, beginning with a semicolon (§4.1.1.2).
    fileprivate var text: String? {
        let texts = keys.map { key -> String? in
            guard StructuredField.isKey(key), let value = self[key] else { return nil }
            return value == .boolean(true) ? ";\(key)" : value.serialized.map { ";\(key)=\($0)" }
        }
        return StructuredField.joined(texts, "")
    }
}

extension StructuredField.BareItem {
    /// The text of the value (§4.1.3.1); nil if the value is not allowed.
    fileprivate var serialized: String? {
        switch self {
        case .integer(let number): Self.isInRange(number) ? "\(number)" : nil
        case .decimal(let thousandths): Self.decimalText(thousandths)
        case .string(let text): Self.quoted(text)
        case .token(let text): Self.isToken(text) ? text : nil
        case .byteSequence(let bytes): ":\(Base64.encode(bytes)):"
        case .boolean(let value): value ? "?1" : "?0"
        case .date(let seconds): Self.isInRange(seconds) ? "@\(seconds)" : nil
        case .displayString(let text): "%\"\(Self.escaped(text))\""
        }
    }

    private static func isInRange(_ number: Int) -> Bool { number.magnitude < 1_000_000_000_000_000 }

    /// At least one digit follows the point, and no zeros at the end.
    private static func decimalText(_ thousandths: Int) -> String? {
        guard isInRange(thousandths) else { return nil }
        let (whole, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var digits = Array(String(fraction + 1000).dropFirst())
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        return "\(thousandths < 0 ? "-" : "")\(whole).\(String(digits))"
    }

    private static func quoted(_ text: String) -> String? {
        guard text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else { return nil }
        var result = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { result += "\\" }
            result.unicodeScalars.append(character)
        }
        return result + "\""
    }

    private static func isToken(_ text: String) -> Bool {
        text.utf8.first?.isTokenStart == true && text.utf8.allSatisfy(\.isInToken)
    }

    private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if 0x20..<0x7F ~= byte, byte != UInt8(ascii: "%"), byte != UInt8(ascii: "\"") {
                bytes.append(byte)
            } else {
                bytes += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
