package import Foundation

/// JSON at several times the speed of Foundation, with the same results.
///
/// The module answers only successes. It leaves everything doubtful, and each failure, to Foundation, whose errors,
/// messages and coding paths therefore stay the same. On Apple platforms, Foundation does everything.
///
/// There is one exception: a text is refused if one of its keys has more than 30 combining marks in a row, because a
/// dictionary takes quadratic time to hash it. Strings that are not keys may have any number of them.
package enum JSONCoding {
    /// Returns the value that `JSONSerialization` returns: dictionaries, arrays, strings, numbers as `NSNumber`, and
    /// `NSNull`. Throws its errors.
    ///
    /// - Parameters:
    ///   - data: A JSON text.
    ///   - allowingFragments: A Boolean value that indicates whether the text can be a string, number, Boolean value or
    ///     null. Otherwise it must be an object or array. The default is `true`.
    ///   - usingFoundation: True if Foundation must do the work.
    package static func object(
        with data: Data, allowingFragments: Bool = true, usingFoundation: Bool = false
    ) throws -> Any {
        #if os(Linux) || os(Android)
        if !usingFoundation, !isOff, let value = TreeBuilder.tree(data.span, allowingFragments: allowingFragments) {
            return value
        }
        #endif
        guard KeySafety.allows(data) else { throw KeySafety.error }
        return try JSONSerialization.jsonObject(with: data, options: allowingFragments ? .fragmentsAllowed : [])
    }

    /// Returns the value that a decoder returns. Throws its errors.
    ///
    /// The strategies of `decoder` are read once, at the start. A subclass of `JSONDecoder`, a decoder that accepts
    /// JSON5 or assumes a dictionary, and one with a custom strategy for keys decode by themselves. If decoding fails,
    /// Foundation makes the error, usually from the value that has failed alone.
    ///
    /// Foundation decodes the whole text once more, so that the type's `init(from:)` runs again, if:
    /// - the type keeps the decoder that it is given,
    /// - decoding fails, and the text is shorter than 1 KB,
    /// - a date in ISO 8601, or a string that is not UTF-8, cannot be decoded,
    /// - the type throws a `DecodingError` with an underlying error, or with a path that Foundation would not make,
    /// - very many values fail, and the type catches their errors.
    ///
    /// If several values of a dictionary cannot be decoded, the error is that of the first one in the text, where Foundation
    /// reports any of them.
    ///
    /// A type that has thus failed twice in a row is decoded by Foundation alone until it succeeds.
    package static func decode<T: Decodable>(
        _ type: T.Type, from data: Data, with decoder: JSONDecoder = JSONDecoder(), usingFoundation: Bool = false
    ) throws -> T {
        #if os(Linux) || os(Android)
        if !usingFoundation, !isOff, let options = DecodingOptions(decoder) {
            return try FailingTypes.shared.decode(type) {
                try Document.value(type, from: KeySafety.utf8(data), options)
            } foundation: {
                try decodeWithFoundation(type, from: data, with: decoder)
            }
        }
        #endif
        return try decodeWithFoundation(type, from: data, with: decoder)
    }

    private static func decodeWithFoundation<T: Decodable>(
        _ type: T.Type, from data: Data, with decoder: JSONDecoder
    ) throws -> T {
        guard KeySafety.allows(data, isJSON5: decoder.allowsJSON5) else { throw KeySafety.decodingError }
        // A subclass may do anything before it decodes.
        if Swift.type(of: decoder) == JSONDecoder.self, !decoder.allowsJSON5, !decoder.assumesTopLevelDictionary,
            let whole = type as? any WholeJSON.Type,
            let value = try whole.init(wholeJSON: KeySafety.utf8(data)) as? T
        {
            return value
        }
        return try decoder.decode(type, from: data)
    }

    /// Returns the text that an encoder returns. Throws its errors.
    ///
    /// The strategies of `encoder` are read once, at the start. The values are in the order in which they are encoded,
    /// where Foundation uses the order of a dictionary, which changes from process to process. If the keys are sorted,
    /// the bytes are those of Foundation.
    ///
    /// A subclass of `JSONEncoder`, and an encoder that indents its text or has a custom strategy for keys, encode by
    /// themselves. Foundation encodes once more, so that the `encode(to:)` of values runs again, if:
    /// - a value, or a part of it, throws an error, even if the value catches the error,
    /// - an object gets two values for one key,
    /// - a container is used after a container that contains it has been used, or is kept,
    /// - an array has a `superEncoder()`,
    /// - keys that are not ASCII are converted to snake case,
    /// - the document is deeper than 500 arrays and objects.
    package static func encode(
        _ value: some Encodable, with encoder: JSONEncoder, usingFoundation: Bool = false
    ) throws -> Data {
        #if os(Linux) || os(Android)
        if !usingFoundation, !isOff, let options = EncodingOptions(encoder),
            let data = OutputDocument.data(value, options)
        {
            return data
        }
        #endif
        return try encoder.encode(value)
    }

    /// Returns the text that `JSONSerialization` returns, or nil if the object is not a valid JSON object. Throws its
    /// errors.
    ///
    /// - Parameters:
    ///   - object: An array or dictionary.
    ///   - options: Options for the text. If the text is indented or sorted, Foundation writes it.
    ///   - usingFoundation: True if Foundation must do the work.
    package static func data(
        withJSONObject object: Any, options: JSONSerialization.WritingOptions = [], usingFoundation: Bool = false
    ) throws -> Data? {
        #if os(Linux) || os(Android)
        if !usingFoundation, !isOff, let data = TreeWriter.data(object, options) { return data }
        #endif
        guard JSONSerialization.isValidJSONObject(object) else { return nil }
        return try JSONSerialization.data(withJSONObject: object, options: options)
    }

    /// Forgets that a type has failed, so that the module itself decodes the next value. For tests.
    package static func forgetFailures(of type: any Any.Type) {
        #if os(Linux) || os(Android)
        FailingTypes.shared.forget(type)
        #endif
    }

    /// True if Foundation does everything in this process: on Apple platforms, and if `SIESTA_FOUNDATION_JSON` is set.
    package static let isOff: Bool = {
        #if os(Linux) || os(Android)
        getenv("SIESTA_FOUNDATION_JSON") != nil
        #else
        true
        #endif
    }()
}
