#if os(Linux) || os(Android)
import Foundation

/// The functions return nil if the value is of another type, or if only Foundation can read it.
extension Document {
    @inline(__always)
    func bool(at node: Int) -> Bool? {
        switch text.nodes[node].kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    @inline(__always)
    func string(at node: Int) -> String? {
        let found = text.nodes[node]
        guard found.kind == .string else { return nil }
        return withBytes { ParsedText.string(found, $0) }
    }

    @inline(__always)
    func integer<T: FixedWidthInteger & Decodable>(_ type: T.Type, at node: Int) -> T? {
        let found = text.nodes[node]
        guard found.kind == .integer, found.isExact else { return foundationNumber(type, found) }
        if !found.isNegative {
            if let value = T(exactly: found.value) { return value }
        } else if found.value <= 1 << 63, let value = T(exactly: Int64(bitPattern: 0 &- found.value)) {
            return value
        }
        return foundationNumber(type, found)
    }

    @inline(__always)
    func double(at node: Int) -> Double? {
        let found = text.nodes[node]
        if found.isNumber, found.isExact {
            let exponent = found.kind == .real ? Int(found.small) : 0
            if let value = ExactDouble.value(found.value, exponent) { return found.isNegative ? -value : value }
        }
        return unusualFloat(Double.self, at: node)
    }

    func float(at node: Int) -> Float? {
        let found = text.nodes[node]
        // Up to these limits, a float represents the significand and the power of ten exactly.
        if found.isNumber, found.isExact, found.value <= 1 << 24 {
            let exponent = found.kind == .real ? Int(found.small) : 0
            if exponent >= -10, exponent <= 10 {
                let power = Float(ExactDouble.powersOfTen[abs(exponent)])
                let value = exponent < 0 ? Float(found.value) / power : Float(found.value) * power
                return found.isNegative ? -value : value
            }
        }
        return unusualFloat(Float.self, at: node)
    }

    func decimal(at node: Int) -> Decimal? {
        let found = text.nodes[node]
        if found.kind == .integer, found.isExact, !found.isNegative { return Decimal(found.value) }
        return withBytes { TreeNumbers.decimal(found, $0) } ?? foundationNumber(Decimal.self, found)
    }

    func url(at node: Int) -> URL? {
        string(at: node).flatMap { URL(string: $0) }
    }

    @inline(never)
    private func unusualFloat<T: BinaryFloatingPoint & Decodable>(_ type: T.Type, at node: Int) -> T? {
        let found = text.nodes[node]
        guard found.kind == .string, case .convertFromString(let infinity, let negative, let notANumber) = options.floats
        else { return foundationNumber(type, found) }
        switch string(at: node) {
        case infinity: return T.infinity
        case negative: return -T.infinity
        case notANumber: return T.nan
        default: return nil
        }
    }

    /// Decodes a number from its text.
    @inline(never)
    private func foundationNumber<T: Decodable>(_ type: T.Type, _ found: Node) -> T? {
        guard found.isNumber else { return nil }
        return withBytes { bytes in
            let range = found.start..<ParsedText.endOfNumber(found, bytes)
            return try? JSONDecoder().decode(type, from: bytes.extracting(range).withUnsafeBufferPointer { Data($0) })
        }
    }
}
#endif
