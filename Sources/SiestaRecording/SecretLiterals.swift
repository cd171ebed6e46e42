import Foundation
import HTTPRules
import SiestaCore
import SiestaJSON

/// Replaces secret values wherever they occur, also in the encodings in which a request or a response may contain them.
/// Pure; takes time proportional to the length of the text.
struct SecretLiterals: Sendable {
    /// The patterns by their first byte, the longest first.
    private let patterns: [UInt8: [[UInt8]]]
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
        let json = String(JSONValue.string(secret).description.dropFirst().dropLast())
        let texts =
            [
                secret, String(PercentEncoding.escapePath(secret[...])), json, json.replacing("/", with: "\\/"),
                ascii(secret),
            ]
            + escaped + spaced
        return texts.flatMap { [$0, lowercasedEscapes($0)] }.map { Array($0.utf8) } + base64(Array(secret.utf8))
    }

    /// Returns the content of a JSON string in which all characters outside ASCII are escaped.
    private static func ascii(_ text: String) -> String {
        text.utf16.map { unit in
            switch unit {
            case 0x22: "\\\""
            case 0x5C: "\\\\"
            case 0x20..<0x7F: String(UnicodeScalar(UInt8(unit)))
            default: "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count) + String(unit, radix: 16)
            }
        }.joined()
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
