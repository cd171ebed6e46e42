package import Foundation

/// JSON at several times the speed of Foundation, with the same results.
///
/// The module answers only successes. It leaves everything doubtful, and each failure, to Foundation, whose errors,
/// messages and coding paths therefore stay the same. On Apple platforms, Foundation does everything.
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
        if !usingFoundation, !isOff, let value = TreeBuilder.tree(data.span, allowingFragments: allowingFragments) { return value }
        #endif
        return try JSONSerialization.jsonObject(with: data, options: allowingFragments ? .fragmentsAllowed : [])
    }

    /// Returns the value that a decoder returns. Throws its errors.
    ///
    /// The strategies of `decoder` are read once, at the start. A subclass of `JSONDecoder`, a decoder that accepts
    /// JSON5 or assumes a dictionary, and one with a custom strategy for keys decode by themselves. If decoding
    /// fails, or the type keeps the decoder that it is given, Foundation decodes once more, so that the type's
    /// `init(from:)` runs again.
    package static func decode<T: Decodable>(
        _ type: T.Type, from data: Data, with decoder: JSONDecoder = JSONDecoder(), usingFoundation: Bool = false
    ) throws -> T {
        #if os(Linux) || os(Android)
        if !usingFoundation, !isOff, let options = DecodingOptions(decoder), let value = Document.value(type, from: data, options) {
            return value
        }
        #endif
        return try decoder.decode(type, from: data)
    }

    #if os(Linux) || os(Android)
    /// True if Foundation does everything in this process.
    private static let isOff = getenv("SIESTA_FOUNDATION_JSON") != nil
    #endif
}
