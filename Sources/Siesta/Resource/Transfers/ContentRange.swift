/// Which bytes of the whole a partial response has: `bytes 500-999/1000` (RFC 9110 §14.4).
struct ContentRange: Equatable, Sendable {
    /// The first and the last of the bytes, and how many there are in all.
    let (first, last, total): (Int64, Int64, Int64)

    /// Reads a `Content-Range`; nil if it is not of bytes, contradicts itself, or does not tell the length of the
    /// whole.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let numbers = words[1].split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
            .map { $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64($0) : nil }
        guard numbers.count == 3, words[1].split(separator: "/").first?.contains("-") == true,
            let first = numbers[0], let last = numbers[1], let total = numbers[2], first <= last, last < total
        else { return nil }
        (self.first, self.last, self.total) = (first, last, total)
    }
}
