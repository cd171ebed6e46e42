/// Reads the value of a header field as bytes, from left to right.
struct ByteCursor {
    private var rest: ArraySlice<UInt8>

    /// The default maximum size of a value, in bytes. Servers send much less, and hostile values must be cheap.
    static let limit = 4096

    /// Returns nil if the text is larger than `limit`.
    init?(_ text: String, limit: Int = limit) {
        guard text.utf8.count <= limit else { return nil }
        rest = ArraySlice(text.utf8)
    }

    var isAtEnd: Bool { rest.isEmpty }

    var next: UInt8? { rest.first }

    /// Skips the text if it comes next. Returns false if it does not.
    mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest.removeFirst(text.utf8.count)
        return true
    }

    /// Skips optional white space (RFC 9110 §5.6.3).
    mutating func skipSpaces() {
        _ = take { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    mutating func takeFirst() -> UInt8? { rest.popFirst() }

    mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = rest.prefix(while: isTaken)
        rest = rest[taken.endIndex...]
        return taken
    }

    /// Takes a number of exactly `count` digits.
    mutating func takeNumber(digits count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        rest = rest[digits.endIndex...]
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Skips one of the words. Returns its index, or nil if none of them comes next.
    mutating func skip(oneOf words: [String]) -> Int? {
        words.firstIndex { skip($0) }
    }
}
