#if os(Linux) || os(Android)
import Foundation

extension OutputText {
    /// The doubles below this magnitude that are integers are written as digits.
    private static let largestInteger = 0x1p53

    @inline(__always)
    func append(_ value: Bool) {
        if value { append(literal: "true") } else { append(literal: "false") }
    }

    func appendNull() { append(literal: "null") }

    @inline(__always)
    func append(integer value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(integer: value.magnitude)
    }

    func append(integer value: UInt64) {
        var (digits, limit) = (1, 10 as UInt64)
        while digits < 20, value >= limit {
            digits &+= 1
            limit = digits < 20 ? limit &* 10 : .max
        }
        append(value, digits: digits)
    }

    /// Appends a finite number as Foundation does: the shortest text that identifies it, without `.0` at the end.
    func append(_ value: Double) {
        if value.magnitude < OutputText.largestInteger, value != 0 || value.sign == .plus {
            let integer = Int64(value)
            if Double(integer) == value { return append(integer: integer) }
        }
        append(description: value.description)
    }

    /// Appends a finite number as Foundation does.
    func append(_ value: Float) { append(description: value.description) }

    /// Appends a number that is not NaN.
    func append(_ value: Decimal) { append(raw: value.description.utf8.span) }

    private func append(description: String) {
        let bytes = description.utf8.span
        let isInteger = bytes.count > 2 && bytes[bytes.count - 1] == 0x30 && bytes[bytes.count - 2] == 0x2E
        append(raw: bytes.extracting(first: isInteger ? bytes.count - 2 : bytes.count))
    }
}
#endif
