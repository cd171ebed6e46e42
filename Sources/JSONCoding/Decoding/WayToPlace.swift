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
        _ = try decoder.decode(Walker.self, from: text, configuration: self)
    }

    /// Goes the way. Always throws. Uses the same stack for each length: a thread may have little of it left.
    fileprivate func go(from root: any Decoder) throws {
        var decoder = root
        for key in path.dropLast() { decoder = try step(key, decoder) }
        guard let key = path.last else { return try makeAttempt(decoder) }
        guard case .value(let type) = attempt else { return try makeAttempt(step(key, decoder)) }
        try decode(type, key, decoder)
    }

    /// Returns a decoder for a part of a value.
    private func step<Key: CodingKey>(_ key: Key, _ decoder: any Decoder) throws -> any Decoder {
        guard case .index(let index)? = key as? ElementKey else {
            return try decoder.container(keyedBy: Key.self).superDecoder(forKey: key)
        }
        var elements = try self.elements(from: index, decoder)
        return try elements.superDecoder()
    }

    /// Decodes a part of a value.
    private func decode<Key: CodingKey>(_ type: FailingPlace.PlainType, _ key: Key, _ decoder: any Decoder) throws {
        if case .index(let index)? = key as? ElementKey {
            var elements = try self.elements(from: index, decoder)
            try caught.during { _ = try elements.decode(type) }
        } else {
            let values = try decoder.container(keyedBy: Key.self)
            try caught.during { _ = try values.decode(type, forKey: key) }
        }
    }

    /// Returns the elements of an array from an index on.
    private func elements(from index: Int, _ decoder: any Decoder) throws -> any UnkeyedDecodingContainer {
        var elements = try decoder.unkeyedContainer()
        for _ in 0..<index { _ = try elements.decode(Skipped.self) }
        return elements
    }

    private func makeAttempt(_ decoder: any Decoder) throws {
        switch attempt {
        case .object: _ = try decoder.container(keyedBy: ElementKey.self)
        case .array: _ = try decoder.unkeyedContainer()
        case .value(let type): try caught.during { _ = try decoder.singleValueContainer().decode(type) }
        case .key(let key): try decode(Skipped.self, key, decoder)
        case .refused(DecodingError.dataCorrupted(let context)):
            // Foundation's own path has keys that only Foundation can make.
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: context.debugDescription))
        case .refused(let error): throw error
        }
    }
}

/// The value of a text that contains only a failing place.
private struct Walker: DecodableWithConfiguration {
    init(from decoder: any Decoder, configuration way: WayToPlace) throws { try way.go(from: decoder) }
}

/// A value that is not read.
private struct Skipped: Decodable {
    init(from decoder: any Decoder) {}
}
#endif
