/// Makes text from servers and users safe to show. After this, no character can begin a new line of a log, move the
/// cursor of a terminal, or change the direction of the surrounding text. Pure.
package enum PlainText {
    /// Returns the text on one line, with control characters escaped as in Swift (`\n`, `\u{1B}`).
    ///
    /// A text of more than `limit` characters is shortened, and ends with the number of missing characters: `… (12
    /// more)`.
    package static func line(_ text: String, limit: Int) -> String {
        if text.utf8.count <= limit, text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
        return bounded(text, limit) { scalar, result in
            switch scalar {
            case "\n": result += #"\n"#
            case "\r": result += #"\r"#
            case "\t": result += #"\t"#
            default: result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
    }

    /// Returns the text for people to read. Line breaks and tabs become spaces, and control characters are removed.
    package static func words(_ text: String, limit: Int) -> String {
        bounded(text, limit) { scalar, result in
            if scalar.properties.isWhitespace, result.unicodeScalars.last != " " { result += " " }
        }
    }

    private static func bounded(
        _ text: String, _ limit: Int, replacing replace: (Unicode.Scalar, inout String) -> Void
    ) -> String {
        var result = ""
        let count = text.unicodeScalars.count
        let shown = count > limit ? max(0, limit - roomForCount) : count
        for scalar in text.unicodeScalars.prefix(shown) {
            if scalar.mayMislead { replace(scalar, &result) } else { result.unicodeScalars.append(scalar) }
        }
        return count > shown ? "\(result)… (\(count - shown) more)" : result
    }

    /// The maximum number of characters of `… (12345 more)`. A shortened text reserves them to stay within its limit.
    private static let roomForCount = 28
}

extension Unicode.Scalar {
    /// True if the scalar may mislead readers, in one of these ways:
    ///
    /// - It is a control character (C0, DEL, C1).
    /// - It ends a line or a paragraph.
    /// - It changes the direction of text.
    /// - It is invisible and has no use in words.
    ///
    /// The joiners U+200C and U+200D do not count as misleading, because they are part of words and of emoji.
    fileprivate var mayMislead: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x061C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
        case 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
        default: false
        }
    }
}
