#if os(Linux) || os(Android)
import Foundation

extension Document {
    /// Returns the error for a value that is not of a type.
    @inline(never)
    func failure(_ type: any Any.Type, at node: Int, _ container: Location, _ key: (any CodingKey)?) -> any Error {
        let found = text.nodes[node]
        if let error = numberError {
            numberError = nil
            guard case DecodingError.dataCorrupted(let cause) = error else { return error }
            return DecodingError.dataCorrupted(context(container, key, cause.debugDescription))
        }
        if found.kind == .null, type != Bool.self {
            let message = "Cannot get value of type \(type) -- found null value instead"
            return DecodingError.valueNotFound(type, context(container, key, message))
        }
        // A value of the right kind can still be one that Foundation reports in another way.
        if isPlausible(found, for: type) { return refusal(type, container, key) }
        return DecodingError.typeMismatch(type, context(container, key, mismatch(type, found)))
    }

    /// Returns the error of Foundation for a value that only Foundation can judge.
    @inline(never)
    func refusal(_ type: any Any.Type, _ container: Location, _ key: (any CodingKey)?) -> any Error {
        refusals += 1
        guard refusals <= Document.maximumRefusals,
            let error = FailingPlace(type, container, key)?.error(in: self)
        else { return doubtful(container, key) }
        return error
    }

    /// Returns an error that only the type itself sees: Foundation decodes the whole text once more.
    func doubtful(_ container: Location, _ key: (any CodingKey)?) -> any Error {
        isDoubtful = true
        return DecodingError.dataCorrupted(context(container, key, "Foundation decides about this value."))
    }

    /// Returns the error for a container that is not there.
    @inline(never)
    func containerFailure(_ name: String, _ type: any Any.Type, _ location: Location) -> DecodingError {
        let found = text.nodes[location.node]
        // Foundation reports a dictionary with string keys in another way if it keeps these keys.
        if options.convertsFromSnakeCase { isDoubtful = true }
        guard found.kind == .null else {
            return .typeMismatch(type, context(location, nil, mismatch(type, found)))
        }
        let message = "Cannot get \(name) decoding container -- found null value instead"
        return .valueNotFound(type, context(location, nil, message))
    }

    func context(_ container: Location, _ key: (any CodingKey)?, _ message: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: container.codingPath(appending: key), debugDescription: message)
    }

    private func mismatch(_ type: any Any.Type, _ found: Node) -> String {
        let description =
            switch found.kind {
            case .null: "null"
            case .true, .false: "bool"
            case .integer, .real: "number"
            case .string: "a string"
            case .array: "an array"
            case .object: "a dictionary"
            }
        return "Expected to decode \(type) but found \(description) instead."
    }

    private func isPlausible(_ found: Node, for type: any Any.Type) -> Bool {
        switch found.kind {
        case .null: false
        case .true, .false: type != Bool.self && !isNumeric(type) && type != String.self
        case .integer, .real: type != Bool.self && type != String.self
        case .string: type != Bool.self && !isInteger(type) && !(isNumeric(type) && refusesTexts)
        case .array, .object: type != Bool.self && type != String.self && !isNumeric(type)
        }
    }

    /// A Boolean value that indicates whether no text is a floating-point number.
    private var refusesTexts: Bool {
        if case .throw = options.floats { return true }
        return false
    }

    private func isInteger(_ type: any Any.Type) -> Bool { type is any FixedWidthInteger.Type }

    private func isNumeric(_ type: any Any.Type) -> Bool { isInteger(type) || type is any BinaryFloatingPoint.Type }
}
#endif
