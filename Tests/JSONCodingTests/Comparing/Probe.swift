import Foundation

/// A value that calls functions of decoders and containers in a random order, and records all results and errors.
/// Each random choice depends on the seed only, so that two decoders must produce the same record.
struct Probe: Decodable {
    let record: [String]

    init(from decoder: any Decoder) throws {
        guard let walk = decoder.userInfo[Walk.key] as? Walk else { fatalError("The decoder has no walk.") }
        let isOutermost = walk.depth == 0
        if isOutermost { walk.begin() }
        walk.depth += 1
        defer { walk.depth -= 1 }
        walk.visit(decoder)
        record = isOutermost ? walk.record : []
    }
}

/// The record of a probe, and its random choices.
final class Walk: @unchecked Sendable {  // Used by one decoder at a time.
    static let key = CodingUserInfoKey(rawValue: "walk").unsafelyUnwrapped

    private let seed: UInt64
    private var random: SplitMix
    private(set) var record: [String] = []
    private var steps = 0
    var depth = 0

    init(seed: UInt64) {
        self.seed = seed
        random = SplitMix(seed: seed)
    }

    /// Starts again: Foundation can decode a second time.
    func begin() {
        random = SplitMix(seed: seed)
        record = []
        steps = 0
    }

    func visit(_ decoder: any Decoder) {
        steps += 1
        guard depth < 12, steps < 60 else { return }
        note("path", Transcript.text(path: decoder.codingPath))
        switch random.below(3) {
        case 0: attempt("keyed") { self.visit(try decoder.container(keyedBy: AnyKey.self)) }
        case 1: attempt("unkeyed") { self.visit(try decoder.unkeyedContainer()) }
        default: attempt("single") { self.visit(try decoder.singleValueContainer(), decoder) }
        }
    }

    private func note(_ name: String, _ text: String) { record.append("\(name): \(text)") }

    private func attempt<Value>(_ name: String, _ body: () throws -> Value) {
        let index = record.count
        let text = Transcript.outcome(body)
        record.insert("\(name): \(text)", at: index)
    }
}

/// A key that can have any text.
struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}

extension Walk {
    private func visit(_ container: KeyedDecodingContainer<AnyKey>) {
        note("path", Transcript.text(path: container.codingPath))
        let keys = container.allKeys.sorted { $0.stringValue.utf8.lexicographicallyPrecedes($1.stringValue.utf8) }
        note("keys", Transcript.text(keys.map(\.stringValue)))
        let missing = AnyKey(stringValue: "missing")
        for key in keys.shuffled(using: &random).prefix(8) + [missing] {
            visit(container, key)
        }
    }

    private func visit(_ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) {
        switch random.below(10) {
        case 0: note("contains", "\(container.contains(key))")
        case 1: attempt("nil") { try container.decodeNil(forKey: key) }
        case 2: attempt("nested") { visit(try container.nestedContainer(keyedBy: AnyKey.self, forKey: key)) }
        case 3: attempt("nested list") { visit(try container.nestedUnkeyedContainer(forKey: key)) }
        case 4: attempt("super") { visit(try container.superDecoder(forKey: key)) }
        case 5: attempt("super") { visit(try container.superDecoder()) }
        case 6, 7:
            let type = DecodableTypes.random(&random)
            attempt("if present") { try type.decodeIfPresent(container, key) }
        default:
            let type = DecodableTypes.random(&random)
            attempt("decode") { try type.decode(container, key) }
        }
    }

    private func visit(_ container: any UnkeyedDecodingContainer) {
        var container = container
        note("path", Transcript.text(path: container.codingPath))
        for _ in 0..<min(6, (container.count ?? 0) + 2) {
            note("list", "\(container.count ?? -1) \(container.currentIndex) \(container.isAtEnd)")
            visitNext(&container)
        }
    }

    private func visitNext(_ container: inout any UnkeyedDecodingContainer) {
        switch random.below(9) {
        case 0: attempt("nil") { try container.decodeNil() }
        case 1: attempt("nested") { visit(try container.nestedContainer(keyedBy: AnyKey.self)) }
        case 2: attempt("nested list") { visit(try container.nestedUnkeyedContainer()) }
        case 3: attempt("super") { visit(try container.superDecoder()) }
        case 4, 5:
            let type = DecodableTypes.random(&random)
            attempt("if present") { try type.decodeIfPresent(&container) }
        default:
            let type = DecodableTypes.random(&random)
            attempt("decode") { try type.decode(&container) }
        }
    }

    private func visit(_ container: any SingleValueDecodingContainer, _ decoder: any Decoder) {
        note("path", Transcript.text(path: container.codingPath))
        note("nil", "\(container.decodeNil())")
        for _ in 0..<3 {
            let type = DecodableTypes.random(&random)
            attempt("decode") { try type.decode(container) }
        }
        visit(decoder)
    }
}
