import Foundation
import JSONCoding

/// Compares the encoding of this module with that of Foundation.
enum EncodingDifferential {
    /// Returns a description of the first difference for the value of a text, and for a probe, or nil.
    static func difference(_ data: Data, seed: UInt64) -> String? {
        let object = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        let own = try? JSONCoding.object(with: data)
        return object.flatMap { objectDifference($0) } ?? own.flatMap { objectDifference($0) }
            ?? (try? JSONDecoder().decode(JSONTree.self, from: data)).flatMap { difference($0, seed: seed) }
            ?? difference(EncodingProbe(), seed: seed)
    }

    static func objectDifference(_ object: Any, _ options: JSONSerialization.WritingOptions = []) -> String? {
        let expected = outcome {
            let isValid = JSONSerialization.isValidJSONObject(object)
            return isValid ? try JSONSerialization.data(withJSONObject: object, options: options) : nil
        }
        let result = outcome { try JSONCoding.data(withJSONObject: object, options: options) }
        return Transcript.difference(result, expected).map { "object: \($0)" }
    }

    /// Returns the first difference of the texts and errors, and of the record of a probe, or nil.
    static func difference(_ value: some Encodable, seed: UInt64) -> String? {
        let (encoder, own) = (encoder(seed), encoder(seed))
        let isSorted = encoder.outputFormatting.contains(.sortedKeys)
        let expected = outcome(isSorted) { try encoder.encode(value) } + record(encoder)
        let result = outcome(isSorted) { try JSONCoding.encode(value, with: own) } + record(own)
        return Transcript.difference(result, expected).map { "seed \(seed): \($0)" }
    }

    private static func record(_ encoder: JSONEncoder) -> String {
        let walk = encoder.userInfo[EncodingWalk.key] as? EncodingWalk
        return "\n" + (walk?.record ?? []).joined(separator: "\n")
    }

    /// Returns the text, or its value and the number of each byte if the order of keys does not count.
    private static func outcome(_ isSorted: Bool = false, _ body: () throws -> Data?) -> String {
        do {
            guard let data = try body() else { return "invalid" }
            if isSorted { return String(decoding: data, as: UTF8.self) }
            let object = try? JSONSerialization.jsonObject(with: withoutMarks(data), options: .fragmentsAllowed)
            var counts = [Int](repeating: 0, count: 256)
            for byte in [UInt8](data) { counts[Int(byte)] += 1 }
            return "\(object.map { Transcript.text($0) } ?? "unreadable")\n\(counts)"
        } catch {
            return Transcript.text(encodingError: error)
        }
    }

    /// Returns a text without byte order marks. Foundation removes them from the start of a key, which can make two keys
    /// equal: then the order would count.
    private static func withoutMarks(_ data: Data) -> Data {
        guard data.range(of: Data("\u{FEFF}".utf8)) != nil else { return data }
        let scalars = String(decoding: data, as: UTF8.self).unicodeScalars.map { $0 == "\u{FEFF}" ? "\u{E000}" : $0 }
        return Data(String(String.UnicodeScalarView(scalars)).utf8)
    }

    /// Returns an encoder whose strategies depend on the seed.
    static func encoder(_ seed: UInt64) -> JSONEncoder {
        var random = SplitMix(seed: seed)
        let encoder = JSONEncoder()
        encoder.userInfo[EncodingWalk.key] = EncodingWalk(seed: seed)
        if random.below(2) == 0 { encoder.outputFormatting.insert(.sortedKeys) }
        if random.below(3) == 0 { encoder.outputFormatting.insert(.withoutEscapingSlashes) }
        if random.below(40) == 0 { encoder.outputFormatting.insert(.prettyPrinted) }
        if random.below(3) == 0 { encoder.keyEncodingStrategy = .convertToSnakeCase }
        if random.below(40) == 0 {
            encoder.keyEncodingStrategy = .custom { AnyKey(stringValue: "c\($0.count)" + ($0.last?.stringValue ?? "")) }
        }
        switch random.below(6) {
        case 0: encoder.dateEncodingStrategy = .secondsSince1970
        case 1: encoder.dateEncodingStrategy = .millisecondsSince1970
        case 2, 3: encoder.dateEncodingStrategy = .iso8601
        case 4: encoder.dateEncodingStrategy = .custom(customDate)
        default: break
        }
        switch random.below(4) {
        case 0: encoder.dataEncodingStrategy = .deferredToData
        case 1: encoder.dataEncodingStrategy = .custom { try $0.count.encode(to: $1) }
        default: break
        }
        if random.below(2) == 0 {
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "Infinity/", negativeInfinity: "-Infinity", nan: "NaN")
        }
        return encoder
    }

    /// Writes one or several values, or none.
    @Sendable
    private static func customDate(_ date: Date, _ encoder: any Encoder) throws {
        let number = Int(date.timeIntervalSince1970)
        guard number % 3 != 0 else { return }
        var container = encoder.unkeyedContainer()
        try container.encode(number)
        try container.encode(Transcript.text(path: encoder.codingPath))
    }
}

extension Transcript {
    static func text(encodingError error: any Error) -> String {
        guard case EncodingError.invalidValue(let value, let context) = error else { return "! " + text(error: error) }
        return "! \(type(of: value)) \(value) \(text(path: context.codingPath)) \(context.debugDescription)"
    }
}
