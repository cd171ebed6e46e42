#if os(Linux) || os(Android)
import Foundation

/// The numbers of a tree, with the types that `JSONSerialization` gives them on Linux.
enum TreeNumbers {
    /// The number of characters above which `JSONSerialization` returns decimal numbers.
    private static let maximumLengthOfDouble = 17

    /// Returns a number, or nil if Foundation refuses it.
    static func number(_ node: Node, _ bytes: Span<UInt8>, _ constants: TreeConstants) -> NSNumber? {
        guard node.isExact else { return foundationNumber(node, bytes) }
        if node.kind == .integer {
            if !node.isNegative {
                return node.value < 1024 ? constants.numbers[Int(node.value)] : NSNumber(value: node.value)
            }
            // JSONSerialization tries Int64 for up to 19 characters, one of them the sign.
            if node.value < 1_000_000_000_000_000_000 { return NSNumber(value: -Int64(node.value)) }
        } else if node.lengthBeforeExponent <= maximumLengthOfDouble {
            if let double = ExactDouble.value(node.value, Int(node.small)) {
                return NSNumber(value: node.isNegative ? -double : double)
            }
        } else if let decimal = decimal(node, bytes) {
            return NSDecimalNumber(decimal: decimal)
        }
        return foundationNumber(node, bytes)
    }

    /// Returns the decimal number of a real number without an exponent, or nil if there is an exponent, or too many
    /// digits.
    static func decimal(_ node: Node, _ bytes: Span<UInt8>) -> Decimal? {
        guard node.kind == .real, node.isExact, node.small < 0, node.small >= -100 else { return nil }
        guard !ParsedText.hasExponent(node, bytes) else { return nil }
        guard node.value != 0 else { return Decimal(0) }
        var (significand, exponent) = (node.value, Int(node.small))
        // Without zeros at the end, as Foundation keeps decimal numbers.
        while exponent < 0 {
            let (quotient, remainder) = significand.quotientAndRemainder(dividingBy: 10)
            guard remainder == 0 else { break }
            (significand, exponent) = (quotient, exponent + 1)
        }
        return Decimal(
            sign: node.isNegative ? .minus : .plus, exponent: exponent, significand: Decimal(significand))
    }

    @inline(never)
    private static func foundationNumber(_ node: Node, _ bytes: Span<UInt8>) -> NSNumber? {
        let text = ParsedText.withNumber(node, bytes) { Data($0) }
        return (try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)) as? NSNumber
    }
}
#endif
