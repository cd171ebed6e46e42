/// A media type in which `*` stands for one or more characters up to the next `/` or `+`.
///
/// Matches a whole `Content-Type` value without its parameters and without regard to case (RFC 9110 §8.3.1), in time
/// proportional to pattern × value at most and in constant space, whatever a server sends. Pure.
struct ContentTypePattern: Sendable {
    private let bytes: [UInt8]

    init(_ pattern: String) {
        bytes = pattern.utf8.map(lowercased)
    }

    /// Gives each star as little as possible, and the last one more when the rest does not fit. An earlier star never needs more:
    /// since no star crosses a separator, what it took over would have to be taken by the last one as well.
    func matches(_ contentType: String) -> Bool {
        let text = MediaType.essence(of: contentType)
        var position = text.startIndex
        var index = 0
        var lastStar: (next: Int, end: Substring.UTF8View.Index)?
        while position < text.endIndex {
            let expected = index < bytes.count ? bytes[index] : nil
            if expected == star, isInside(text[position]) {
                (index, position) = (index + 1, text.index(after: position))
                lastStar = (index, position)
            } else if expected == lowercased(text[position]) {
                (index, position) = (index + 1, text.index(after: position))
            } else if let (next, end) = lastStar, isInside(text[end]) {
                (index, position) = (next, text.index(after: end))
                lastStar = (next, position)
            } else {
                return false
            }
        }
        return index == bytes.count
    }
}

private let star = UInt8(ascii: "*")

private func isInside(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: "/") && byte != UInt8(ascii: "+")
}

private func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
