import Foundation

/// A value that calls functions of encoders and containers in a random order, and records all paths, counts and errors.
/// Each random choice depends on the seed only, so that two encoders must produce the same record and text.
struct EncodingProbe: Encodable {
    func encode(to encoder: any Encoder) throws {
        guard let walk = encoder.userInfo[EncodingWalk.key] as? EncodingWalk else { fatalError("There is no walk.") }
        let isOutermost = walk.depth == 0
        if isOutermost { walk.begin() }
        walk.depth += 1
        defer { walk.depth -= 1 }
        try walk.visit(encoder)
    }
}

/// The record of a probe, and its random choices.
final class EncodingWalk: @unchecked Sendable {  // Used by one encoder at a time.
    static let key = CodingUserInfoKey(rawValue: "encoding walk").unsafelyUnwrapped

    private let seed: UInt64
    /// A Boolean value that indicates whether the walk also does what only Foundation encodes.
    private let isUnusual: Bool
    private var random: SplitMix
    private(set) var record: [String] = []
    private var steps = 0
    var depth = 0

    init(seed: UInt64) {
        self.seed = seed
        isUnusual = seed % 4 == 0
        random = SplitMix(seed: seed)
    }

    /// Starts again: Foundation can encode a second time.
    func begin() {
        random = SplitMix(seed: seed)
        record = []
        steps = 0
    }

    private func note(_ name: String, _ text: String) { record.append("\(name): \(text)") }

    private func note(_ path: [any CodingKey]) { note("path", Transcript.text(path: path)) }

    /// Returns true with the probability of one to `odds`, in a walk that does unusual things.
    private func unusual(_ odds: Int) -> Bool { random.below(odds) == 0 && isUnusual }

    /// After an error of a list or object, Foundation traps if the same encoder encodes another one. Only numbers fail.
    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch { note("error", Transcript.text(encodingError: error)) }
    }

    func visit(_ encoder: any Encoder) throws {
        steps += 1
        note(encoder.codingPath)
        if unusual(20) { return }
        guard depth < 10, steps < 60 else { return try end(encoder) }
        switch random.below(5) {
        case 0, 1:
            var container = encoder.container(keyedBy: AnyKey.self)
            try visit(&container, encoder)
        case 2, 3:
            var container = encoder.unkeyedContainer()
            try visit(&container)
            if random.below(4) == 0 {
                var again = encoder.unkeyedContainer()
                try visit(&again)
            }
        default: try end(encoder)
        }
    }

    private func end(_ encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        note(container.codingPath)
        switch random.below(6) {
        case 0: try container.encodeNil()
        case 1 where depth < 10: try container.encode(EncodingProbe())
        default: try EncodableValue.random(&random, unusual(30)).single(&container)
        }
    }

    private func visit(_ container: inout KeyedEncodingContainer<AnyKey>, _ encoder: any Encoder) throws {
        for number in 0..<random.below(7) { try visitNext(&container, key(number)) }
        guard random.below(4) == 0 else { return }
        var again = encoder.container(keyedBy: AnyKey.self)
        note(again.codingPath)
        for number in 7..<7 + random.below(4) { try visitNext(&again, key(number)) }
        if random.below(3) == 0 { try container.encode("again", forKey: AnyKey(stringValue: "again")) }
        if unusual(4) { for _ in 0..<2 { try container.encode(1, forKey: AnyKey(stringValue: "repeated")) } }
    }

    private func key(_ number: Int) -> AnyKey {
        let names = ["a", "myKey", "myURLKey", "Key/", "b\"", "", "aLongKeyWithManyWords", "x1Y2", "_a_B", "URL", "z"]
        if unusual(30) { return AnyKey(stringValue: "é\(number)ÄÖ") }
        if random.below(8) == 0 { return AnyKey(intValue: number) }
        return AnyKey(stringValue: names[random.below(names.count)] + "\(number)" + (random.below(3) == 0 ? "Ab" : ""))
    }

    private func visitNext(_ container: inout KeyedEncodingContainer<AnyKey>, _ key: AnyKey) throws {
        note(container.codingPath)
        switch random.below(14) {
        case 0: try container.encodeNil(forKey: key)
        case 1:
            var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
            for number in 0..<random.below(4) { try visitNext(&nested, self.key(number)) }
            if unusual(8) {
                try container.encode(2, forKey: AnyKey(stringValue: "between"))
                try nested.encode(3, forKey: AnyKey(stringValue: "late"))
            }
        case 2:
            var nested = container.nestedUnkeyedContainer(forKey: key)
            try visit(&nested)
        case 3: try visit(container.superEncoder(forKey: key))
        case 4 where key.stringValue.contains("0"): try visit(container.superEncoder())
        case 5, 6: try container.encode(EncodingProbe(), forKey: key)
        case 7 where unusual(4): attempt { try container.encode(Double.nan, forKey: key) }
        default: try EncodableValue.random(&random, unusual(60)).keyed(&container, key)
        }
    }

    private func visit(_ container: inout any UnkeyedEncodingContainer) throws {
        for _ in 0..<random.below(6) {
            note(container.codingPath)
            note("count", "\(container.count)")
            try visitNext(&container)
        }
    }

    private func visitNext(_ container: inout any UnkeyedEncodingContainer) throws {
        switch random.below(12) {
        case 0: try container.encodeNil()
        case 1:
            var nested = container.nestedContainer(keyedBy: AnyKey.self)
            for number in 0..<random.below(4) { try visitNext(&nested, key(number)) }
        case 2:
            var nested = container.nestedUnkeyedContainer()
            try visit(&nested)
        case 3 where unusual(2): try visit(container.superEncoder())
        case 4, 5: try container.encode(EncodingProbe())
        case 6: try container.encode([EncodingProbe(), EncodingProbe()])
        default: try EncodableValue.random(&random, unusual(60)).unkeyed(&container)
        }
    }
}
