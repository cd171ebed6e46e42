import Foundation

/// The parameters behind the `?` of a request target, decoded, in their order.
struct Query: Sendable, Equatable {
    /// One parameter; a name without `=` has an empty value.
    struct Item: Sendable, Equatable {
        var name: String
        var value: String
    }

    private(set) var items: [Item] = []

    init(_ items: [Item] = []) {
        self.items = items
    }

    /// Decodes form-style text (`+` is a space); nil if an escape is malformed or does not spell UTF-8.
    init?(encoded: some StringProtocol) {
        for part in encoded.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(pair[0]), let value = Self.decode(pair.count > 1 ? pair[1] : "") else {
                return nil
            }
            items.append(Item(name: name, value: value))
        }
    }

    /// The last value given for a name, or nil.
    subscript(name: String) -> String? {
        items.last { $0.name == name }?.value
    }

    /// The same query with one parameter replaced where it stood, or added at the end.
    func replacing(_ name: String, with value: String) -> Query {
        var result = Query(items.filter { $0.name != name })
        let place = items.firstIndex { $0.name == name } ?? result.items.count
        result.items.insert(Item(name: name, value: value), at: min(place, result.items.count))
        return result
    }

    /// The text for a URL: everything but unreserved characters is escaped.
    var encoded: String {
        items.map { Self.encode($0.name) + "=" + Self.encode($0.value) }.joined(separator: "&")
    }

    private static func decode(_ text: some StringProtocol) -> String? {
        text.replacingOccurrences(of: "+", with: " ").removingPercentEncoding
    }

    private static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
            return isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
