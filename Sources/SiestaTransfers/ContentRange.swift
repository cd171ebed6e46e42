import HTTPRules
import SiestaCore

/// The range of bytes in a partial response: `bytes 500-999/1000` (RFC 9110 §14.4).
struct ContentRange: Equatable, Sendable {
    /// The positions of the first and the last byte, and the total number of bytes.
    let (first, last, total): (Int64, Int64, Int64)

    /// Parses a `Content-Range` header. Returns nil if the unit is not bytes, the numbers contradict each other, or the
    /// total number is missing.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let numbers = words[1].split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
            .map { $0.utf8.allSatisfy(\.isASCIIDigit) ? Int64($0) : nil }
        guard numbers.count == 3, words[1].split(separator: "/").first?.contains("-") == true,
            let first = numbers[0], let last = numbers[1], let total = numbers[2], first <= last, last < total
        else { return nil }
        (self.first, self.last, self.total) = (first, last, total)
    }
}
