/// A media type in which `*` stands for one or more characters up to the next `/` or `+`.
///
/// Matches a whole `Content-Type` value without its parameters and without regard to case (RFC 9110 §8.3.1), in time
/// proportional to pattern × value at most and in constant space, whatever a server sends. Pure.
struct ContentTypePattern: Sendable {
    private let bytes: [UInt8]

    init(_ pattern: String) {
        bytes = pattern.utf8.map(\.loweredASCII)
    }

    func matches(_ contentType: String) -> Bool {
        contentType.withUTF8Bytes { matches(essence: MediaType.essence(of: $0)) }
    }

    /// Gives each star as little as possible, and the last one more when the rest does not fit. An earlier star never
    /// needs more: since no star crosses a separator, what it took over would have to be taken by the last one as well.
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
            } else if expected == text[position].loweredASCII {
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

    /// Looks at the ends alone, which rules out most types at once.
    private func mayMatch(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let first = bytes.first, let last = bytes.last, !text.isEmpty else { return text.isEmpty }
        return (first == star || first == text[text.startIndex].loweredASCII)
            && (last == star || last == text[text.endIndex - 1].loweredASCII)
    }
}

private let star = UInt8(ascii: "*")

private func isInside(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: "/") && byte != UInt8(ascii: "+")
}
