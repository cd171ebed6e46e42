public import Foundation

extension JSONValue: CustomStringConvertible {
    /// The JSON text of this value in UTF-8, without white space. Members are sorted by name. Equal values have the
    /// same text, unless their strings contain different, but canonically equivalent, characters.
    public var data: Data { Data(bytes) }

    /// The JSON text of this value as a string; see ``data``.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    private var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let number): bytes += number.description.utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let elements): Self.write(elements, to: &bytes)
        case .object(let members): Self.write(members, to: &bytes)
        }
    }

    private static func write(_ elements: [JSONValue], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            element.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func write(_ members: [String: JSONValue], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(member.key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.value.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Writes a string. Only the characters of RFC 8259 §7 are escaped.
    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case ..<0x10: bytes += "\\u000\(String(byte, radix: 16))".utf8
            case ..<0x20: bytes += "\\u00\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
