import Foundation

/// The format of binary data in a document. White space is ignored.
public enum XMLDataDecodingStrategy: Sendable {
    /// The format of the XML Schema type `base64Binary`.
    case base64
    /// The format of the XML Schema type `hexBinary`: two hexadecimal digits for each byte.
    case hexadecimal
}

extension XMLDataDecodingStrategy {
    func data(_ text: String) -> Data? {
        let digits = text.filter { !$0.isWhitespace }
        switch self {
        case .base64: return Data(base64Encoded: digits)
        case .hexadecimal:
            let values = digits.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
            guard values.count.isMultiple(of: 2), values.allSatisfy({ $0 != nil }) else { return nil }
            let numbers = values.compactMap { $0 }
            return Data(stride(from: 0, to: numbers.count, by: 2).map { UInt8(numbers[$0] << 4 | numbers[$0 + 1]) })
        }
    }
}
