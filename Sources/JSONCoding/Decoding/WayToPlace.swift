#if os(Linux) || os(Android)
import Foundation

/// The way to a failing place, for a decoder of Foundation.
struct WayToPlace {
    /// The keys of objects, and an `ElementKey` for each array.
    let path: [any CodingKey]
    let attempt: FailingPlace.Attempt
    let caught = Caught()

    /// The error of a value, inside of `init(from:)`.
    final class Caught {
        var error: (any Error)?

        func during(_ body: () throws -> Void) throws {
            do {
                try body()
            } catch {
                self.error = error
                throw error
            }
        }
    }

    /// Goes the way in a text, and makes the attempt at its end. Throws the error that is seen outside of `init(from:)`.
    func repeatAttempt(in text: Data, with decoder: JSONDecoder) throws {
        _ = try decoder.decode(Step.self, from: text, configuration: (self, 0))
    }

    /// Decodes the rest of the way. Always throws.
    fileprivate func decode(from decoder: any Decoder, depth: Int) throws {
        if depth == path.count {
            try makeAttempt(decoder)
        } else if case .index(let index)? = path[depth] as? ElementKey {
            var elements = try decoder.unkeyedContainer()
            for _ in 0..<index { _ = try elements.decode(Skipped.self) }
            if let type = lastType(at: depth) {
                try caught.during { _ = try elements.decode(type) }
            } else {
                _ = try elements.decode(Step.self, configuration: (self, depth + 1))
            }
        } else {
            try decodeValue(path[depth], decoder, depth)
        }
    }

    private func decodeValue<Key: CodingKey>(_ key: Key, _ decoder: any Decoder, _ depth: Int) throws {
        let values = try decoder.container(keyedBy: Key.self)
        if let type = lastType(at: depth) {
            try caught.during { _ = try values.decode(type, forKey: key) }
        } else {
            _ = try values.decode(Step.self, forKey: key, configuration: (self, depth + 1))
        }
    }

    /// Returns the type that is read with the key at a depth, if that is the last one.
    private func lastType(at depth: Int) -> FailingPlace.PlainType? {
        guard depth == path.count - 1, case .value(let type) = attempt else { return nil }
        return type
    }

    private func makeAttempt(_ decoder: any Decoder) throws {
        switch attempt {
        case .object: _ = try decoder.container(keyedBy: ElementKey.self)
        case .array: _ = try decoder.unkeyedContainer()
        case .value(let type): try caught.during { _ = try decoder.singleValueContainer().decode(type) }
        case .key(let key): try find(key, decoder)
        case .refused(DecodingError.dataCorrupted(let context)):
            // Foundation's own path has keys that only Foundation can make.
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: context.debugDescription))
        case .refused(let error): throw error
        }
    }

    private func find<Key: CodingKey>(_ key: Key, _ decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Key.self).decode(Skipped.self, forKey: key)
    }
}

/// A value on the way to a failing place.
private struct Step: DecodableWithConfiguration {
    init(from decoder: any Decoder, configuration: (way: WayToPlace, depth: Int)) throws {
        try configuration.way.decode(from: decoder, depth: configuration.depth)
    }
}

/// A value that is not read.
private struct Skipped: Decodable {
    init(from decoder: any Decoder) {}
}
#endif
