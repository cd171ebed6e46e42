import Foundation
import HTTPRules
import SiestaCore
import SiestaJSON

/// Replaces secret values wherever they occur, also in the encodings in which a request or a response may contain them.
/// Pure; takes time proportional to the length of the text.
struct SecretLiterals: Sendable {
    /// The patterns by their first byte, the longest first.
    private let patterns: [UInt8: [[UInt8]]]
    /// The secrets as strings of JSON contain them, by their first byte.
    private let strings: [UInt8: [JSONString]]
    private let mark: [UInt8]

    init(_ secrets: Set<String>, mark: String) {
        // A set of strings contains only one of several texts with the same characters.
        let forms = secrets.flatMap {
            [$0, $0.precomposedStringWithCanonicalMapping, $0.decomposedStringWithCanonicalMapping]
        }
        let all = Set(forms.flatMap { Self.patterns(of: $0) })
        patterns = Dictionary(grouping: all.filter { !$0.isEmpty }) { $0[0] }.mapValues { group in
            group.sorted { $0.count > $1.count }
        }
        let strings = Set(forms.map { Array($0.utf8) }).map(JSONString.init)
        self.strings = Dictionary(
            strings.flatMap { string in string.firstBytes.map { ($0, [string]) } }, uniquingKeysWith: +)
        self.mark = Array(mark.utf8)
    }

    /// Returns the text without the secrets.
    func replacing(in text: String) -> String {
        patterns.isEmpty ? text : String(decoding: replacing(in: Array(text.utf8)), as: UTF8.self)
    }

    /// Returns the bytes without the secrets.
    ///
    /// - Parameter isCut: True if more bytes followed, so that the last bytes may be the first part of a secret. Such a
    ///   part is replaced, too.
    func replacing(in bytes: [UInt8], isCut: Bool = false) -> [UInt8] {
        guard !patterns.isEmpty else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            let (rest, known) = (bytes[position...], patterns[bytes[position]] ?? [])
            if let pattern = known.first(where: { rest.starts(with: $0) }) {
                result += mark
                position += pattern.count
            } else if isCut, known.contains(where: { $0.starts(with: rest) }) {
                return result + mark
            } else if let end = strings[bytes[position]]?.lazy.compactMap({ $0.end(in: rest, isCut: isCut) }).max() {
                result += mark
                position = end
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return result
    }

    // MARK: Encodings

    private static func patterns(of secret: String) -> [[UInt8]] {
        let escaped = [PercentEncoding.escapeFormItem(secret), PercentEncoding.escapeQueryItem(secret)].map {
            String($0)
        }
        let spaced = escaped.map { $0.replacing("%20", with: "+") }
        let texts = [secret, String(PercentEncoding.escapePath(secret[...]))] + escaped + spaced
        return texts.flatMap { [$0, lowercasedEscapes($0)] }.map { Array($0.utf8) } + base64(Array(secret.utf8))
    }

    /// Returns the text with percent-encoded triplets in lower case.
    private static func lowercasedEscapes(_ text: String) -> String {
        text.replacing(#/%[0-9A-F]{2}/#) { $0.output.lowercased() }
    }

    /// Returns the texts that are part of every Base64 text whose content contains the secret: one for each position of
    /// the secret in a group of three bytes, in both alphabets (RFC 4648 §4 and §5). Returns none for short secrets.
    private static func base64(_ secret: [UInt8]) -> [[UInt8]] {
        guard secret.count >= 6 else { return [] }
        return (0..<3).flatMap { offset in
            let text = Data([UInt8](repeating: 0, count: offset) + secret).base64EncodedString()
            let first = (offset * 8 + 5) / 6
            let end = (offset + secret.count) * 8 / 6
            let middle = Array(text.utf8)[first..<end]
            let urlSafe = middle.map { byte in
                byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
            }
            return [Array(middle), urlSafe]
        }
    }
}

/// A text as a string of JSON contains it: each of its characters may be escaped, or not. Servers differ in the characters
/// that they escape.
private struct JSONString: Sendable {
    /// The forms of each character, the longest first.
    private let characters: [[[UInt8]]]

    init(_ text: [UInt8]) {
        characters = String(decoding: text, as: UTF8.self).unicodeScalars.map { scalar in
            let units = String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            let short = JSONValue.string(String(scalar)).description.dropFirst().dropLast()
            let forms = [units.joined(), String(short), scalar == "/" ? "\\/" : "\(scalar)", "\(scalar)"]
            return forms.map { Array($0.utf8) }
        }
    }

    /// The bytes with which the text can begin.
    var firstBytes: Set<UInt8> { Set((characters.first ?? []).map { $0[0] }) }

    /// Returns the end of the text if the bytes begin with it; the end of the bytes if they are cut, and are its first part.
    func end(in bytes: ArraySlice<UInt8>, isCut: Bool) -> Int? {
        var rest = bytes
        for forms in characters {
            guard let form = forms.first(where: { rest.count >= $0.count && Self.isEqual(rest, $0) }) else {
                return isCut && forms.contains { rest.count < $0.count && Self.isEqual(rest, $0) } ? rest.endIndex : nil
            }
            rest = rest.dropFirst(form.count)
        }
        return rest.startIndex
    }

    /// Returns true if one begins with the other. The digits of an escape may be in upper case.
    private static func isEqual(_ bytes: ArraySlice<UInt8>, _ form: [UInt8]) -> Bool {
        let isEscape = form.starts(with: "\\u".utf8)
        return zip(bytes, form).allSatisfy { $0 == $1 || isEscape && $0 | 0x20 == $1 }
    }
}
