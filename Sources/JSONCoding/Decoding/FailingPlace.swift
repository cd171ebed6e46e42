#if os(Linux) || os(Android)
import Foundation

/// The place of a document at which a decode has failed, and what was tried there.
///
/// Foundation makes the error, but need not decode the whole text once more for it: it tries the same again in a text that
/// contains this place alone. The other elements of its arrays are zeros, and the other pairs of its objects are left out.
struct FailingPlace {
    /// What a type has tried to read.
    enum Attempt {
        case object, array
        case value(PlainType)
        case key(any CodingKey)
        /// Something that a type has refused, with the error that it has thrown.
        case refused(any Error)
    }

    typealias PlainType = any (Decodable & SendableMetatype).Type

    private let path: [any CodingKey]
    private let attempt: Attempt

    /// Creates the place of a value. Returns nil if its type may run code of the app.
    init?(_ type: any Any.Type, _ container: Location, _ key: (any CodingKey)?) {
        guard let type = FailingPlace.plainTypes[ObjectIdentifier(type)] else { return nil }
        self.init(at: container.codingPath(appending: key), .value(type))
    }

    private init(at path: [any CodingKey], _ attempt: Attempt) {
        (self.path, self.attempt) = (path, attempt)
    }

    /// Creates the place of an error. Returns nil if only a decode of the whole text shows the error of Foundation.
    private init?(_ error: any Error) {
        switch error as? DecodingError {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            guard let attempt = Attempt(reading: type) else { return nil }
            self.init(at: context.codingPath, attempt)
        case .keyNotFound(let key, let context): self.init(at: context.codingPath, .key(key))
        case .dataCorrupted(let context): self.init(at: context.codingPath, .refused(error))
        case nil: self.init(at: [], .refused(error))
        default: return nil
        }
    }

    /// Returns the error that Foundation throws where the types of a document have thrown an error. Returns nil if only a
    /// decode of the whole text shows it.
    static func error(_ error: any Error, in document: Document) -> (any Error)? {
        let result = FailingPlace(error)?.errors(in: document)?.outside
        guard let error = error as? DecodingError else { return result }
        guard let other = result as? DecodingError, isSame(error, other) else { return nil }
        return other
    }

    /// Returns the error that Foundation throws inside of `init(from:)`, at this place. Returns nil if it throws none, or
    /// one of its own, which contains the position in the text.
    func error(in document: Document) -> DecodingError? { errors(in: document)?.inside as? DecodingError }

    /// Returns the errors that Foundation throws inside and outside of `init(from:)`. They differ for numbers.
    private func errors(in document: Document) -> (inside: (any Error)?, outside: any Error)? {
        let text = OutputText(escapesSlashes: false)
        guard let way = way(in: document, text) else { return nil }
        let decoder = JSONDecoder()
        if document.options.convertsFromSnakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        if case .convertFromString = document.options.floats {
            decoder.nonConformingFloatDecodingStrategy = document.options.floats
        }
        do {
            try way.repeatAttempt(in: text.take(), with: decoder)
            return nil
        } catch {
            return (way.caught.error, error)
        }
    }

    /// Returns the way to the place, and appends a text that contains only the place. Returns nil if the document does not
    /// contain it.
    private func way(in document: Document, _ result: OutputText) -> WayToPlace? {
        var (node, keys, ends) = (0, [any CodingKey](), [UInt8]())
        for key in path {
            let found = document.text.nodes[node]
            if found.kind == .array, let index = key.intValue, 0..<found.count ~= index {
                result.append(UInt8(ascii: "["))
                node += 1
                for _ in 0..<index {
                    result.append(literal: "0,")
                    node = document.text.after(node)
                }
                keys.append(ElementKey.index(index))
                ends.append(UInt8(ascii: "]"))
            } else if found.kind == .object, !(key is ElementKey) {  // A key of Foundation's own cannot be made here.
                node = document.find(key.stringValue, in: node)
                guard node >= 0 else { return nil }
                result.append(UInt8(ascii: "{"))
                result.append(key.stringValue)
                result.append(UInt8(ascii: ":"))
                keys.append(key)
                ends.append(UInt8(ascii: "}"))
            } else {
                return nil
            }
        }
        document.append(scalarOrEmpty: node, to: result)
        result.append(raw: Array(ends.reversed()).span)
        return WayToPlace(path: keys, attempt: attempt)
    }

    /// Returns true if two errors have the same types, texts and paths.
    private static func isSame(_ error: DecodingError, _ other: DecodingError) -> Bool {
        switch (error, other) {
        case (.typeMismatch(let type, let context), .typeMismatch(let otherType, let other)),
            (.valueNotFound(let type, let context), .valueNotFound(let otherType, let other)):
            type == otherType && isSame(context, other)
        case (.keyNotFound(let key, let context), .keyNotFound(let otherKey, let other)):
            isSame(key, otherKey) && isSame(context, other)
        case (.dataCorrupted(let context), .dataCorrupted(let other)): isSame(context, other)
        default: false
        }
    }

    private static func isSame(_ context: DecodingError.Context, _ other: DecodingError.Context) -> Bool {
        context.debugDescription == other.debugDescription && context.underlyingError == nil
            && other.underlyingError == nil && context.codingPath.elementsEqual(other.codingPath, by: isSame)
    }

    private static func isSame(_ key: any CodingKey, _ other: any CodingKey) -> Bool {
        // A type can also make a key for an index, which has other descriptions.
        key.stringValue == other.stringValue && key.intValue == other.intValue
            && key.description == other.description && key.debugDescription == other.debugDescription
    }
}

extension FailingPlace.Attempt {
    fileprivate init?(reading type: any Any.Type) {
        if type == [String: Any].self {
            self = .object
        } else if type == [Any].self {
            self = .array
        } else if let type = FailingPlace.plainTypes[ObjectIdentifier(type)] {
            self = .value(type)
        } else {
            return nil
        }
    }
}

extension FailingPlace {
    /// The types whose `init(from:)` runs no code of the app.
    fileprivate static let plainTypes: [ObjectIdentifier: PlainType] = {
        let types: [PlainType] = [
            Bool.self, String.self, Double.self, Float.self, Date.self, URL.self, Data.self, Decimal.self,
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self,
            UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self,
        ]
        return Dictionary(uniqueKeysWithValues: types.map { (ObjectIdentifier($0), $0) })
    }()
}

extension Document {
    /// Appends a value. An array or object is appended without its content.
    fileprivate func append(scalarOrEmpty node: Int, to result: OutputText) {
        let found = text.nodes[node]
        switch found.kind {
        case .null: result.append(literal: "null")
        case .false: result.append(literal: "false")
        case .true: result.append(literal: "true")
        case .integer, .real: withBytes { ParsedText.withNumber(found, $0) { result.append(raw: $0.span) } }
        case .string:
            result.append(UInt8(ascii: "\""))
            withBytes { result.append(raw: $0.extracting(found.start..<found.start + found.length)) }
            result.append(UInt8(ascii: "\""))
        case .array: result.append(literal: "[]")
        case .object: result.append(literal: "{}")
        }
    }
}
#endif
