/// A source of header fields: a message or a dictionary.
///
/// The caching rules ask for names in lower case only.
package protocol CacheFields {
    /// The value of the field `name`; nil if it is missing. The values of repeated fields are joined by ", ".
    subscript(name: String) -> String? { get }
}

extension HeaderBytes: CacheFields {}

/// The names of the dictionary must be in lower case.
extension [String: String]: CacheFields {}
