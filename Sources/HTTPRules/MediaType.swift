/// Parsing of `Content-Type` values (RFC 9110 §8.3.1).
package enum MediaType {
    /// Returns the type and subtype of `contentType`, without parameters and surrounding white space.
    package static func essence(of contentType: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        trimmed(contentType.prefix { $0 != UInt8(ascii: ";") })
    }

    /// Returns the type and subtype of `contentType` as text, in lower case.
    package static func essence(of contentType: String) -> String {
        contentType.withUTF8Bytes { String(decoding: essence(of: $0), as: UTF8.self).lowercased() }
    }

    /// Returns the value of one field for the values of several, joined by commas. Some servers send the field twice;
    /// equal values count as one. Different values contradict each other, and stay joined, which is no media type.
    package static func single(_ contentType: String) -> String {
        guard contentType.contains(ascii: UInt8(ascii: ",")) else { return contentType }
        let values = splitUnquoted(contentType[...], at: ",").map { String(trimmed($0.utf8)) ?? "" }
        guard let first = values.first, !first.isEmpty, values.allSatisfy({ $0 == first }) else { return contentType }
        return first
    }

    /// Returns the value of a parameter without its quotes; nil if there is no such parameter. `name` is in lower case;
    /// parameter names in `contentType` are case-insensitive. If the parameter occurs several times, returns the first
    /// value.
    package static func parameter(_ name: String, of contentType: String) -> String? {
        guard contentType.contains(ascii: UInt8(ascii: ";")) else { return nil }
        for field in splitUnquoted(contentType[...], at: ";").dropFirst() {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, String(trimmed(parts[0].utf8))?.lowercased() == name else { continue }
            return String(trimmed(parts[1].utf8)).map(unquoted)
        }
        return nil
    }

    /// Splits the text at a separator outside quoted strings.
    private static func splitUnquoted(_ text: Substring, at separator: Character) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        return text.split(omittingEmptySubsequences: false) { character in
            defer { isEscaped = isQuoted && character == "\\" && !isEscaped }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            return character == separator && !isQuoted
        }
    }

    private static func unquoted(_ value: String) -> String {
        guard value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
        var result = ""
        var isEscaped = false
        for character in value.dropFirst().dropLast() {
            isEscaped = character == "\\" && !isEscaped
            if !isEscaped { result.append(character) }
        }
        return result
    }

    private static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var result = bytes.drop(while: isSpace)
        while let last = result.last, isSpace(last) { result.removeLast() }
        return result
    }
}
