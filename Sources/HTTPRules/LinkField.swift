/// The links of a `Link` field (RFC 8288 §3), parsed as its appendix B specifies. Pure.
///
/// The parser is tolerant: it skips a malformed link, and continues after the next comma. It reads each byte at most
/// twice.
package struct LinkField: Sendable {
    /// One link: its target, and its parameters in the order in which they were sent.
    package struct Link: Sendable, Hashable {
        /// The target as it was sent: a URI reference (RFC 3986 §4.1), which may be relative.
        package let target: String

        /// The parameters. Names are in lower case; values are without quotes and escapes. A value whose escapes have
        /// separated many combining marks is read as Latin-1; see ``StreamSafety``.
        package let parameters: [Parameter]

        /// Returns the value of the first parameter `name`; nil if there is no such parameter. RFC 8288 §3.3 and §3.2:
        /// of several `rel` or `anchor` parameters, the first one counts.
        package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

        /// The relation types in lower case, because they are case-insensitive (RFC 8288 §2.1).
        package var relations: [String] {
            (self["rel"] ?? "").split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }
        }
    }

    /// A parameter of a link.
    package struct Parameter: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// The links, in the order in which they were sent.
    package let links: [Link]

    /// The maximum size of a value, in bytes. A larger value counts as empty.
    package static let limit = 65_536

    /// Parses the value of a field, or the values of several fields joined by commas (RFC 9110 §5.3).
    package init(_ text: String) {
        guard text.utf8.count <= Self.limit else {
            links = []
            return
        }
        var parser = Parser(rest: ArraySlice(text.utf8))
        var links: [Link] = []
        while let link = parser.next() {
            if let link { links.append(link) }
        }
        self.links = links
    }
}

extension LinkField {
    private struct Parser {
        var rest: ArraySlice<UInt8>

        /// Parses the next element of the list. Returns nil at the end, and `.some(nil)` if the element is not a link.
        mutating func next() -> Link?? {
            skip { $0.isLinkSpace || $0 == UInt8(ascii: ",") }
            guard !rest.isEmpty else { return nil }
            defer { skipElement() }
            guard takeIf(UInt8(ascii: "<")) else { return .some(nil) }
            let target = take { $0 != UInt8(ascii: ">") }
            guard takeIf(UInt8(ascii: ">")) else { return .some(nil) }
            let trimmed = String(decoding: target.trimmingLinkSpace, as: UTF8.self)
            let parameters = takeParameters()
            return HeaderSyntax.isValue(trimmed) ? Link(target: trimmed, parameters: parameters) : .some(nil)
        }

        /// Skips the bytes before the next comma that is outside quoted strings.
        private mutating func skipElement() {
            while let byte = rest.first, byte != UInt8(ascii: ",") {
                if byte == UInt8(ascii: "\"") { _ = takeQuoted() } else { rest.removeFirst() }
            }
        }

        private mutating func takeParameters() -> [Parameter] {
            var parameters: [Parameter] = []
            while true {
                skip(\.isLinkSpace)
                guard takeIf(UInt8(ascii: ";")) else { return parameters }
                skip(\.isLinkSpace)
                let name = takeName()
                skip(\.isLinkSpace)
                let value = takeIf(UInt8(ascii: "=")) ? takeValue() : ""
                guard !name.isEmpty else { continue }
                if name.hasSuffix("*"), name != "*" {
                    if let value = ExtendedValue.decode(value) {
                        parameters.append(Parameter(name: name, value: value))
                    }
                } else {
                    parameters.append(Parameter(name: name, value: value))
                }
            }
        }

        private mutating func takeName() -> String {
            let bytes = take { !$0.isLinkSpace && !"=;,".utf8.contains($0) }
            return String(decoding: bytes, as: UTF8.self).lowercased()
        }

        private mutating func takeValue() -> String {
            skip(\.isLinkSpace)
            if rest.first == UInt8(ascii: "\"") { return takeQuoted() }
            let bytes = take { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
            return String(decoding: bytes.trimmingLinkSpace, as: UTF8.self)
        }

        /// Takes a quoted string (RFC 9110 §5.6.4). A string without its closing quote ends with the field.
        private mutating func takeQuoted() -> String {
            rest.removeFirst()
            var bytes: [UInt8] = []
            while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                guard byte == UInt8(ascii: "\\") else {
                    bytes.append(byte)
                    continue
                }
                if let escaped = rest.popFirst() { bytes.append(escaped) }
            }
            return StreamSafety.safe(String(decoding: bytes, as: UTF8.self))
        }

        private mutating func takeIf(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
            let taken = rest.prefix(while: isTaken)
            rest = rest[taken.endIndex...]
            return taken
        }

        private mutating func skip(_ isSkipped: (UInt8) -> Bool) { _ = take(while: isSkipped) }
    }
}

/// The values of parameters whose names end with an asterisk (RFC 8187 §3.2): `UTF-8'de'n%c3%a4chstes`.
private enum ExtendedValue {
    /// Returns the text; nil if it is malformed, or in another character set than UTF-8.
    static func decode(_ value: String) -> String? {
        let parts = value.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, String(parts[0])?.lowercased() == "utf-8" else { return nil }
        var bytes: [UInt8] = []
        var rest = parts[2]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy(\.isHexadecimalDigit),
                let decoded = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self).map(StreamSafety.safe)
    }
}

extension UInt8 {
    /// True for the characters of white space in a field (RFC 9110 §5.6.3).
    fileprivate var isLinkSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmingLinkSpace: ArraySlice<UInt8> {
        var result = drop(while: \.isLinkSpace)
        while let last = result.last, last.isLinkSpace { result.removeLast() }
        return result
    }
}
