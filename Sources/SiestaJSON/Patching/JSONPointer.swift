import HTTPRules

/// A path to a value inside a JSON value (RFC 6901).
public struct JSONPointer: Sendable, Hashable {
    /// The names of members and the indexes of elements that lead to the value, beginning at the top level. Empty for
    /// the whole value.
    public var tokens: [String]

    /// Creates a pointer from its tokens, which are not escaped.
    public init(tokens: [String] = []) { self.tokens = tokens }

    /// Creates a pointer from its text, such as `/authors/0/name` (RFC 6901 §3).
    ///
    /// Returns nil if the text violates the syntax: it must be empty or begin with `/`, and each `~` must be followed
    /// by `0` or `1`. Also returns nil if the text has more than 30 combining marks in a row.
    public init?(_ text: String) {
        guard StreamSafety.allows(text) else { return nil }
        guard !text.isEmpty else {
            tokens = []
            return
        }
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        tokens = []
        for token in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let token = Self.unescaped(token) else { return nil }
            tokens.append(token)
        }
    }

    private static func unescaped(_ token: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = token[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONPointer: CustomStringConvertible {
    /// The text of this pointer, with `~` and `/` in tokens escaped as `~0` and `~1`.
    public var description: String {
        var bytes: [UInt8] = []
        for token in tokens {
            bytes.append(UInt8(ascii: "/"))
            for byte in token.utf8 {
                switch byte {
                case UInt8(ascii: "~"): bytes += "~0".utf8
                case UInt8(ascii: "/"): bytes += "~1".utf8
                default: bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the index that a token names in an array (RFC 6901 §4): digits without leading zeros, or else nil.
    static func index(_ token: String) -> Int? {
        guard token.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        guard token.utf8.first != UInt8(ascii: "0") || token.utf8.count == 1 else { return nil }
        return Int(token)
    }
}

extension JSONValue {
    /// The value to which `pointer` leads; nil if one of its tokens names no member or element.
    public subscript(pointer: JSONPointer) -> JSONValue? {
        pointer.tokens.reduce(self as JSONValue?) { value, token in
            switch value {
            case .object(let members): members[token]
            case .array(let elements):
                JSONPointer.index(token).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            default: nil
            }
        }
    }
}
