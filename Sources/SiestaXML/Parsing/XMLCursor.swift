/// Reads a text in UTF-8 as bytes, from left to right.
struct XMLCursor {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// The index of the next byte in the array.
    var index: Int { rest.startIndex }

    var next: UInt8? { rest.first }

    var isAtEnd: Bool { rest.isEmpty }

    /// Skips a text in ASCII. Returns false if another text comes next.
    mutating func skip(_ text: StaticString) -> Bool {
        let isNext = text.withUTF8Buffer { rest.starts(with: $0) }
        if isNext { rest = rest.dropFirst(text.utf8CodeUnitCount) }
        return isNext
    }

    /// Skips white space. Returns false if there is none.
    @discardableResult
    mutating func skipSpaces() -> Bool { !take(while: \.isXMLSpace).isEmpty }

    mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = rest.prefix(while: isTaken)
        rest = rest[taken.endIndex...]
        return taken
    }

    /// Takes a number with as many digits as `counts` allows.
    mutating func takeNumber(digits counts: ClosedRange<Int>) -> Int? {
        let digits = take { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard counts.contains(digits.count) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Takes a text in quotation marks or apostrophes, and returns it without them.
    mutating func takeQuoted() -> ArraySlice<UInt8>? {
        guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        rest = rest.dropFirst()
        let text = take { $0 != quote }
        guard !rest.isEmpty else { return nil }
        rest = rest.dropFirst()
        return text
    }
}

extension UInt8 {
    /// True for the white space of XML (XML 1.0 §2.3).
    var isXMLSpace: Bool { self == 0x20 || self == 0x9 || self == 0xA || self == 0xD }
}
