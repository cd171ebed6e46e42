#if os(Linux) || os(Android)
import Foundation

/// The conversion of keys that `JSONDecoder` calls `convertFromSnakeCase`.
enum SnakeCase {
    /// Returns `oneTwoThree` for `one_two_three`. Underscores at the start and at the end stay.
    static func camelCase(_ key: String) -> String {
        guard let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" }) else {
            return key
        }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1, let start = words.first else { return key }
        let rest = words.dropFirst().map { $0.capitalized }
        return key[..<first] + start.lowercased() + rest.joined() + key[key.index(after: last)...]
    }
}
#endif
