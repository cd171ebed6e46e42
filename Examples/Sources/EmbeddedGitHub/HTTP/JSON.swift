/// A JSON value whose objects keep the order of their members, so that equal data is always written as equal bytes.
indirect enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case string(String)
    case array([JSON])
    case object([Member])

    /// One name with its value.
    struct Member: Sendable, Equatable {
        var name: String
        var value: JSON
    }

    /// A string, or null.
    static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

    /// The members of two objects, one after the other; anything but an object has none.
    func merging(_ other: JSON) -> JSON { .object(members + other.members) }

    private var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The value as UTF-8 text without white space.
    var utf8: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    private func write(to output: inout [UInt8]) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .integer(let value): output += String(value).utf8
        case .string(let value): Self.write(value, to: &output)
        case .array(let values):
            Self.write(values, between: "[]", to: &output) { $0.write(to: &$1) }
        case .object(let members):
            Self.write(members, between: "{}", to: &output) { member, output in
                Self.write(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], between brackets: String, to output: inout [UInt8],
        one: (Element, inout [UInt8]) -> Void
    ) {
        output += brackets.prefix(1).utf8
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            one(element, &output)
        }
        output += brackets.suffix(1).utf8
    }

    /// Writes a string literal; control characters (C0, DEL) leave as `\u00XX`, everything else as it is.
    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): output += "\\n".utf8
            case 0..<0x20, 0x7F: output += ("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}

extension JSON: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
}
