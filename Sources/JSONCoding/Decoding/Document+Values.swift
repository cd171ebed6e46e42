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
            if let value = ExactDouble.value(found.value, exponent), value != 0 || isPlainZero(found) {
                return found.isNegative ? -value : value
            }
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
                if value != 0 || isPlainZero(found) { return found.isNegative ? -value : value }
            }
        }
        return unusualFloat(Float.self, at: node)
    }

    /// Returns false for `0e1`, which Foundation refuses as a number that is too small.
    private func isPlainZero(_ found: Node) -> Bool {
        found.kind == .integer || !withBytes { ParsedText.hasExponent(found, $0) }
    }

    func decimal(at node: Int) -> Decimal? {
        let found = text.nodes[node]
        if found.kind == .integer, found.isExact, !found.isNegative || found.value != 0 {
            return found.isNegative ? -Decimal(found.value) : Decimal(found.value)
        }
        return withBytes { TreeNumbers.decimal(found, $0) } ?? foundationNumber(Decimal.self, found)
    }

    func url(at node: Int) -> URL? {
        string(at: node).flatMap { URL(string: $0) }
    }

    @inline(never)
    private func unusualFloat<T: BinaryFloatingPoint & Decodable & LosslessStringConvertible>(
        _ type: T.Type, at node: Int
    ) -> T? {
        let found = text.nodes[node]
        guard found.kind == .string,
            case .convertFromString(let infinity, let negative, let notANumber) = options.floats
        else { return longFloat(found) ?? foundationNumber(type, found) }
        switch string(at: node) {
        case infinity: return T.infinity
        case negative: return -T.infinity
        case notANumber: return T.nan
        default: return nil
        }
    }

    /// Returns the value of a number with many digits. Foundation decides about numbers near zero and infinity.
    private func longFloat<T: BinaryFloatingPoint & LosslessStringConvertible>(_ found: Node) -> T? {
        guard found.isNumber else { return nil }
        let text = withBytes { ParsedText.withNumber(found, $0) { String(decoding: $0, as: UTF8.self) } }
        guard let value = T(text), value.isNormal, value.magnitude > T.leastNormalMagnitude * 1e6,
            value.magnitude < T.greatestFiniteMagnitude / 1e6
        else { return nil }
        return value
    }

    /// Decodes a number from its text. Keeps the error, if there is one, for `failure`.
    @inline(never)
    private func foundationNumber<T: Decodable>(_ type: T.Type, _ found: Node) -> T? {
        guard found.isNumber, !isDoubtful else { return nil }
        let text = withBytes { ParsedText.withNumber(found, $0) { Data($0) } }
        switch (try? JSONDecoder().decode(FoundationNumber<T>.self, from: text))?.result {
        case .success(let value): return value
        case .failure(let error):
            numberError = error
            numberErrors += 1
            // A second decoding costs less than very many such errors.
            if numberErrors > Document.maximumNumberErrors { isDoubtful = true }
        case nil: isDoubtful = true
        }
        return nil
    }
}

/// The result of Foundation for a number. An error that leaves a decoder has already lost its cause.
private struct FoundationNumber<T: Decodable>: Decodable {
    let result: Result<T, any Error>

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        result = Result { try container.decode(T.self) }
    }
}
#endif
