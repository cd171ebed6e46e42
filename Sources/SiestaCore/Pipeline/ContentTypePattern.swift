import HTTPRules

/// A pattern for media types in which `*` matches one or more characters up to the next `/` or `+`.
///
/// The pattern must match the whole `Content-Type` value without its parameters, ignoring case (RFC 9110 §8.3.1).
/// Matching takes constant space, and at most time proportional to the length of the pattern times the length of the
/// value, for any value that a server sends. Pure.
package struct ContentTypePattern: Sendable {
    private let bytes: [UInt8]

    package init(_ pattern: String) {
        bytes = pattern.utf8.map(\.lowercasedASCII)
    }

    package func matches(_ contentType: String) -> Bool {
        contentType.withUTF8Bytes { matches(essence: MediaType.essence(of: $0)) }
    }

    /// Matches with a single position to go back to. Each star first takes one character. If the text after it does not
    /// match, the last star takes one more character. An earlier star never needs more characters, because no star
    /// crosses a separator: the last star can take the same characters.
    func matches(essence text: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard mayMatch(text) else { return false }
        var position = text.startIndex
        var index = 0
        var lastStar: (next: Int, end: Int)?
        while position < text.endIndex {
            let expected = index < bytes.count ? bytes[index] : nil
            if expected == star, isInside(text[position]) {
                (index, position) = (index + 1, position + 1)
                lastStar = (index, position)
            } else if expected == text[position].lowercasedASCII {
                (index, position) = (index + 1, position + 1)
            } else if let (next, end) = lastStar, isInside(text[end]) {
                (index, position) = (next, end + 1)
                lastStar = (next, position)
            } else {
                return false
            }
        }
        return index == bytes.count
    }

    /// Compares only the first and the last character. This excludes most types at once.
    private func mayMatch(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let first = bytes.first, let last = bytes.last, !text.isEmpty else { return text.isEmpty }
        return (first == star || first == text[text.startIndex].lowercasedASCII)
            && (last == star || last == text[text.endIndex - 1].lowercasedASCII)
    }
}

private let star = UInt8(ascii: "*")

private func isInside(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: "/") && byte != UInt8(ascii: "+")
}
