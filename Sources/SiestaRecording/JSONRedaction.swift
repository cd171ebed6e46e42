import Foundation
import HTTPRules
import SiestaCore
import SiestaJSON

/// Replaces the values of secret members in a text of JSON, and the secrets in URLs. Changes nothing else. Pure.
///
/// It reads tokens, not values: the text may be cut, may consist of several values with other characters between them,
/// or may be nested to any depth. It takes time proportional to the length of the text.
struct JSONRedaction {
    private let bytes: [UInt8]
    private let mark: [UInt8]
    private let isSecret: (String) -> Bool
    private let changingURLs: (String) -> String
    private var result: [UInt8] = []
    private var position = 0
    private var depth = 0
    /// The depth of the array or object that is the value of a secret member; nil outside such a value.
    private var secretDepth: Int?
    /// True after the name of a secret member.
    private var isPending = false

    private init(
        _ bytes: [UInt8], mark: String, isSecret: @escaping (String) -> Bool, changingURLs: @escaping (String) -> String
    ) {
        self.bytes = bytes
        self.mark = Array("\"\(mark)\"".utf8)
        (self.isSecret, self.changingURLs) = (isSecret, changingURLs)
        result.reserveCapacity(bytes.count)
    }

    /// Returns the text in which the strings of secret members are `mark`, and their numbers 0. `changingURLs` returns
    /// each other string that contains a URL without its secrets.
    static func redacting(
        _ bytes: [UInt8], mark: String, isSecret: @escaping (String) -> Bool,
        changingURLs: @escaping (String) -> String
    ) -> [UInt8] {
        var redaction = JSONRedaction(bytes, mark: mark, isSecret: isSecret, changingURLs: changingURLs)
        while redaction.position < bytes.count { redaction.readToken() }
        return redaction.result
    }

    private var isHidden: Bool { isPending || secretDepth != nil }

    private mutating func readToken() {
        switch bytes[position] {
        case UInt8(ascii: "\""): readString()
        case UInt8(ascii: "{"), UInt8(ascii: "["): begin()
        case UInt8(ascii: "}"), UInt8(ascii: "]"): end()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): readNumber()
        case UInt8(ascii: ","):
            isPending = false
            copy(to: position + 1)
        default: copy(to: position + 1)
        }
    }

    private mutating func begin() {
        if isPending, secretDepth == nil { secretDepth = depth }
        isPending = false
        depth += 1
        copy(to: position + 1)
    }

    private mutating func end() {
        depth -= 1
        if let secret = secretDepth, depth <= secret { secretDepth = nil }
        isPending = false
        copy(to: position + 1)
    }

    private mutating func readString() {
        let end = endOfString
        let next = bytes[end...].first { !" \n\r\t".utf8.contains($0) }
        if next == UInt8(ascii: ":") {
            isPending = isSecret(name(in: bytes[position..<end]))
            copy(to: end)
        } else {
            let isEmpty = end - position <= 2 && end < bytes.count
            if isHidden && !isEmpty { replace(to: end, with: mark) } else { copyString(to: end) }
            isPending = false
        }
    }

    /// The index after the closing quotation mark, or the end of the text. A string that is not secret also ends before
    /// a line end, which JSON does not allow in strings: the quotation mark was probably a part of another text.
    private var endOfString: Int {
        var index = position + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\n") || bytes[index] == UInt8(ascii: "\r"), !isHidden { return index }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }

    /// Copies a string without the secrets of its URLs. A string that is cut stays without its quotation mark.
    private mutating func copyString(to end: Int) {
        let string = bytes[position..<end]
        guard Self.mayContainURL(string) else { return copy(to: end) }
        let isCut = string.last != UInt8(ascii: "\"")
        let text = isCut ? name(in: string + "\"".utf8) : name(in: string)
        let changed = changingURLs(text)
        guard !changed.hasSameBytes(as: text) else { return copy(to: end) }
        let new = Array(JSONValue.string(changed).description.utf8)
        replace(to: end, with: isCut ? Array(new.dropLast()) : new)
    }

    /// Returns true if a string may contain a URL. Any of the characters of a URL may be escaped.
    private static func mayContainURL(_ string: ArraySlice<UInt8>) -> Bool {
        if string.contains(UInt8(ascii: "\\")) { return true }
        guard let colon = string.firstIndex(of: UInt8(ascii: ":")), string[colon...].count > 3 else { return false }
        return string[(colon + 1)...].contains(UInt8(ascii: "/"))
    }

    private func name(in string: ArraySlice<UInt8>) -> String {
        let content = string.dropFirst().dropLast()
        guard string.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
        return (try? JSONValue(parsing: Data(string)).text) ?? Self.readable(content)
    }

    /// Returns a text of which a parser refuses a part: an escape that is cut or unknown, half a surrogate pair, or illegal
    /// bytes. The legal escapes are read, because they may hide a URL or a secret name. All else stays.
    private static func readable(_ content: ArraySlice<UInt8>) -> String {
        var units: [UInt16] = []
        var rest = content
        while !rest.isEmpty {
            let plain = rest.prefix { $0 != UInt8(ascii: "\\") }
            units += String(decoding: plain, as: UTF8.self).utf16
            rest = rest[plain.endIndex...]
            guard let backslash = rest.popFirst() else { break }
            let escape = escape(at: rest)
            units.append(escape?.unit ?? UInt16(backslash))
            rest = rest.dropFirst(escape?.length ?? 0)
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Returns the UTF-16 unit of the escape whose backslash was read, and the number of its other bytes; nil if there is no
    /// legal escape.
    private static func escape(at bytes: ArraySlice<UInt8>) -> (unit: UInt16, length: Int)? {
        guard let kind = bytes.first else { return nil }
        guard kind == UInt8(ascii: "u") else { return shortEscapes[kind].map { ($0, 1) } }
        let digits = bytes.dropFirst().prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16).map { ($0, 5) }
    }

    private static let shortEscapes: [UInt8: UInt16] = [
        UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 0x08,
        UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    private mutating func readNumber() {
        let end = bytes[position...].firstIndex { !"+-.0123456789eE".utf8.contains($0) } ?? bytes.endIndex
        if isHidden { replace(to: end, with: [UInt8(ascii: "0")]) } else { copy(to: end) }
        isPending = false
    }

    private mutating func copy(to end: Int) {
        result += bytes[position..<end]
        position = end
    }

    private mutating func replace(to end: Int, with text: some Sequence<UInt8>) {
        result += text
        position = end
    }
}
