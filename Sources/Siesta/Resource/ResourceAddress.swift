import Foundation

/// An absolute URL as text, split where its path and its query end. Pure.
struct ResourceAddress {
    /// Everything up to the end of the path.
    private let location: Substring
    /// The query without its question mark, if there is one.
    private let query: Substring?
    /// The fragment with its number sign, or nothing.
    private let fragment: Substring

    init(_ address: String) {
        let end = address.utf8.firstIndex(of: UInt8(ascii: "#")) ?? address.endIndex
        let path = address[..<end].utf8.firstIndex(of: UInt8(ascii: "?")) ?? end
        location = address[..<path]
        query = path == end ? nil : address[address.utf8.index(after: path)..<end]
        fragment = address[end...]
    }

    /// The address with `path`, escaped, after its own path and exactly one slash between them.
    func appending(path: String) -> String { pathBase.appending(path) }

    /// The address as other paths are appended to it.
    var pathBase: PathBase {
        let isFolder = location.utf8.last == UInt8(ascii: "/")
        return PathBase(
            prefix: isFolder ? String(location) : location + "/", suffix: (query.map { "?" + $0 } ?? "") + fragment)
    }

    /// The address with query parameters set or, where the value is nil, removed; all sorted by name.
    func setting(_ params: [String: String?]) -> String {
        let kept = (query ?? "").split(separator: "&").compactMap { item -> (name: String, item: Substring)? in
            let name = item.prefix { $0 != "=" }
            let decoded = String(name).removingPercentEncoding ?? String(name)
            return params.keys.contains(decoded) ? nil : (decoded, item.replacing("+", with: "%2B")[...])
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
