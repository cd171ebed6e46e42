import Foundation
import HTTPRules

/// An absolute URL as text, split at the end of its path and at the end of its query. Pure.
struct ResourceAddress {
    /// The part of the URL before the query and the fragment.
    private let location: Substring
    /// The query without its question mark; nil if the URL has no query.
    private let query: Substring?
    /// The fragment with its number sign; empty if the URL has no fragment.
    private let fragment: Substring

    init(_ address: String) {
        let end = address.utf8.firstIndex(of: UInt8(ascii: "#")) ?? address.endIndex
        let path = address[..<end].utf8.firstIndex(of: UInt8(ascii: "?")) ?? end
        location = address[..<path]
        query = path == end ? nil : address[address.utf8.index(after: path)..<end]
        fragment = address[end...]
    }

    /// Escapes `path`, appends it to the path of the URL after exactly one slash, and returns the result.
    func appending(path: String) -> String { pathBase.appending(path) }

    /// The address as a base to which paths can be appended.
    var pathBase: BaseURL {
        let isFolder = location.utf8.last == UInt8(ascii: "/")
        return BaseURL(
            prefix: isFolder ? String(location) : location + "/", suffix: (query.map { "?" + $0 } ?? "") + fragment)
    }

    /// Returns the URL with query parameters set; a nil value removes its parameter. All parameters are sorted by name.
    func setting(_ params: [String: String?]) -> String {
        let kept = (query ?? "").split(separator: "&").compactMap { item -> (name: String, item: Substring)? in
            let name = item.prefix { $0 != "=" }
            let decoded = StreamSafety.safe(String(name).removingPercentEncoding ?? String(name))
            return params.containsExactly(decoded) ? nil : (decoded, item.replacing("+", with: "%2B")[...])
        }
        let added = params.compactMap { name, value in
            value.map { (name: name, item: Self.item(name, $0)) }
        }
        let items = (kept + added).enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
        let query = items.map(\.element.item).joined(separator: "&")
        return location + (query.isEmpty ? "" : "?" + query) + fragment
    }

    private static func item(_ name: String, _ value: String) -> Substring {
        let name = PercentEncoding.escapeQueryItem(name)
        return value.isEmpty ? name : name + "=" + PercentEncoding.escapeQueryItem(value)
    }
}

extension [String: String?] {
    /// Returns true if a key has the bytes of a name. Keys that are equal as strings may have others.
    fileprivate func containsExactly(_ name: String) -> Bool {
        index(forKey: name).map { self[$0].key.hasSameBytes(as: name) } ?? false
    }
}
