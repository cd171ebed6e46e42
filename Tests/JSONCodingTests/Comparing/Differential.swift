import Foundation
import JSONCoding

/// Compares this module with Foundation.
enum Differential {
    /// Returns a description of the first difference, or nil. The seed decides which models are compared.
    static func difference(_ data: Data, seed: UInt64) -> String? {
        treeDifference(data) ?? decodeDifference(Probe.self, data, seed: seed) { $0.record }
            ?? decodeDifference([Loose].self, data, seed: seed) { ["\($0)"] }
            ?? decodeDifference([Item].self, data, seed: seed) { ["\($0)"] }
            ?? decodeDifference([String: Loose].self, data, seed: seed) { ["\(Transcript.sorted($0))"] }
            ?? modelDifference(data, seed: seed)
    }

    /// Compares the trees, and the values of one type, which the seed decides. Takes a tenth of the time.
    static func shortDifference(_ data: Data, seed: UInt64) -> String? {
        if let difference = treeDifference(data) { return difference }
        switch Int(seed % UInt64(Models.all.count + 4)) {
        case 0: return decodeDifference(Probe.self, data, seed: seed) { $0.record }
        case 1: return decodeDifference([Loose].self, data, seed: seed) { ["\($0)"] }
        case 2: return decodeDifference([Item].self, data, seed: seed) { ["\($0)"] }
        case 3: return decodeDifference([String: Loose].self, data, seed: seed) { ["\(Transcript.sorted($0))"] }
        case let index: return Models.all[index - 4](data, seed)
        }
    }

    private static func modelDifference(_ data: Data, seed: UInt64) -> String? {
        for index in stride(from: Int(seed % 6), to: Models.all.count, by: 6) {
            if let difference = Models.all[index](data, seed) { return difference }
        }
        return nil
    }

    static func treeDifference(_ data: Data) -> String? {
        for allowingFragments in [true, false] {
            let options: JSONSerialization.ReadingOptions = allowingFragments ? .fragmentsAllowed : []
            // First, because it makes the small numbers that both share; see `TreeConstants`.
            let result = Transcript.outcome { try JSONCoding.object(with: data, allowingFragments: allowingFragments) }
            let expected = Transcript.outcome { try JSONSerialization.jsonObject(with: data, options: options) }
            if let difference = Transcript.difference(result, expected) { return "tree: \(difference)" }
        }
        return nil
    }

    static func decodeDifference<T: Decodable>(
        _ type: T.Type, _ data: Data, seed: UInt64 = 0, _ text: (T) -> [String]
    ) -> String? {
        // Foundation's decoder refuses UTF-32 with a byte order mark in this order, except for JSON5.
        guard !data.starts(with: [0xFF, 0xFE, 0, 0]) else { return nil }
        // The failures of short and long texts are decoded in different ways.
        let data = seed % 2 == 0 ? data : data + Data(repeating: UInt8(ascii: " "), count: 1 << 10)
        let expected = Transcript.outcome { text(try decoder(seed).decode(type, from: data)) }
        JSONCoding.forgetFailures(of: type)  // Otherwise Foundation would be compared with itself.
        let result = Transcript.outcome { text(try JSONCoding.decode(type, from: data, with: decoder(seed))) }
        return Transcript.difference(result, expected).map { "seed \(seed), \(type): \($0)" }
    }

    /// Returns a decoder whose strategies depend on the seed.
    static func decoder(_ seed: UInt64) -> JSONDecoder {
        var random = SplitMix(seed: seed)
        let decoder = JSONDecoder()
        decoder.userInfo[Walk.key] = Walk(seed: seed)
        if random.below(3) == 0 { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        switch random.below(6) {
        case 0: decoder.dateDecodingStrategy = .secondsSince1970
        case 1: decoder.dateDecodingStrategy = .millisecondsSince1970
        case 2, 3: decoder.dateDecodingStrategy = .iso8601
        case 4: decoder.dateDecodingStrategy = .custom(customDate)
        default: break
        }
        switch random.below(4) {
        case 0: decoder.dataDecodingStrategy = .deferredToData
        case 1: decoder.dataDecodingStrategy = .custom { Data(try $0.singleValueContainer().decode(String.self).utf8) }
        default: break
        }
        if random.below(2) == 0 {
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        }
        return decoder
    }

    @Sendable
    private static func customDate(_ decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        if let year = try? container.decode(Int.self) { return Date(timeIntervalSince1970: Double(year) * 31_557_600) }
        let text = try container.decode(String.self)
        guard text.hasSuffix("Z") else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "No date: \(text)")
        }
        return Date(timeIntervalSince1970: Double(text.utf8.count))
    }
}
