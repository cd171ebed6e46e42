/// A media type in which `*` stands for one or more characters up to the next `/` or `+`.
///
/// Matches a whole `Content-Type` value without its parameters and without regard to case (RFC 9110 §8.3.1). Pure.
struct ContentTypePattern: Sendable {
    private let bytes: [UInt8]

    init(_ pattern: String) {
        bytes = pattern.utf8.map(lowercased)
    }

    func matches(_ contentType: String) -> Bool {
        matches(bytes[...], MediaType.essence(of: contentType))
    }

    private func matches(_ pattern: ArraySlice<UInt8>, _ text: Substring.UTF8View) -> Bool {
        guard let expected = pattern.first else { return text.isEmpty }
        guard let actual = text.first else { return false }
        if expected == star {
            let isInside = actual != UInt8(ascii: "/") && actual != UInt8(ascii: "+")
            return isInside && (matches(pattern, text.dropFirst()) || matches(pattern.dropFirst(), text.dropFirst()))
        }
        return expected == lowercased(actual) && matches(pattern.dropFirst(), text.dropFirst())
    }
}

private let star = UInt8(ascii: "*")

private func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
