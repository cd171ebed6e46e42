extension JSONValue.Number {
    /// The parts of a decimal number: the sign, the digits without zeros at either end, and the exponent of the last
    /// digit.
    struct Parts {
        private let isNegative: Bool
        private let digits: ArraySlice<UInt8>
        private let exponent: Int

        /// Reads a number in the grammar of RFC 8259 §6. Returns nil for other texts.
        init?(_ spelling: ArraySlice<UInt8>) {
            var rest = spelling
            isNegative = rest.take(UInt8(ascii: "-"))
            let whole = rest.takeDigits()
            guard whole.count == 1 || whole.first != UInt8(ascii: "0"), !whole.isEmpty else { return nil }
            var fraction = ArraySlice<UInt8>()
            if rest.take(UInt8(ascii: ".")) {
                fraction = rest.takeDigits()
                guard !fraction.isEmpty else { return nil }
            }
            guard let power = Self.exponent(&rest), rest.isEmpty else { return nil }
            let significant = (whole + fraction).drop { $0 == UInt8(ascii: "0") }
            let end = significant.lastIndex { $0 != UInt8(ascii: "0") }.map { $0 + 1 } ?? significant.startIndex
            digits = significant[..<end]
            exponent = digits.isEmpty ? 0 : power - fraction.count + significant.count - digits.count
            guard abs(exponent) <= JSONValue.Number.exponentLimit else { return nil }
        }

        /// Takes an exponent: 0 if there is none, nil if it has no digits. Exponents that `Int` cannot hold become
        /// huge.
        private static func exponent(_ rest: inout ArraySlice<UInt8>) -> Int? {
            guard rest.take(UInt8(ascii: "e")) || rest.take(UInt8(ascii: "E")) else { return 0 }
            let isNegative = rest.take(UInt8(ascii: "-"))
            if !isNegative { _ = rest.take(UInt8(ascii: "+")) }
            let digits = rest.takeDigits()
            guard !digits.isEmpty else { return nil }
            let magnitude = digits.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), 1 << 50) }
            return isNegative ? -magnitude : magnitude
        }
    }
}

extension JSONValue.Number.Parts: CustomStringConvertible {
    /// The value, if it is an integer that fits.
    var integer: Int64? {
        if digits.isEmpty { return 0 }
        return exponent >= 0 && digits.count + exponent <= 19 ? Int64(description) : nil
    }

    /// The only spelling of this number. Exponents are used for more than 40 digits before the point, and for more than
    /// six zeros after it.
    var description: String {
        let text = String(decoding: digits, as: UTF8.self)
        return (isNegative ? "-" : "") + Self.spelling(text, point: digits.count + exponent)
    }

    /// Returns the spelling of `0.text × 10^point`.
    private static func spelling(_ text: String, point: Int) -> String {
        switch point - text.utf8.count {
        case 0... where point <= 40: return text + zeros(point - text.utf8.count)
        case ..<0 where point > 0: return text.prefix(point) + "." + text.dropFirst(point)
        case ..<0 where point > -7: return "0." + zeros(-point) + text
        default:
            let fraction = text.dropFirst()
            return text.prefix(1) + (fraction.isEmpty ? "" : "." + fraction) + "e\(point - 1)"
        }
    }

    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
}

extension ArraySlice<UInt8> {
    /// Removes the first byte if it is `byte`, and returns true if it did.
    fileprivate mutating func take(_ byte: UInt8) -> Bool {
        guard first == byte else { return false }
        removeFirst()
        return true
    }

    /// Removes the digits at the start and returns them.
    fileprivate mutating func takeDigits() -> ArraySlice<UInt8> {
        let digits = prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        removeFirst(digits.count)
        return digits
    }
}
