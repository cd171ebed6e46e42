import Foundation
import HTTPRules

/// A method and a URL in a form in which recorded and new requests can be compared.
struct HARAddress: Hashable {
    /// The address without the query.
    struct Place: Hashable {
        let method: String
        let path: String
    }

    let place: Place
    /// The redacted URL.
    let url: String
    /// The items of the query as they are in the URL.
    private let items: [Substring]
    private let redactedItems: [Substring]

    init(method: String, url: String, _ redactor: HARRedactor) {
        let url = URLReference.escaped(url)  // Browsers record characters that a URL cannot contain.
        self.url = redactor.url(url)
        items = Self.items(of: url)
        redactedItems = Self.items(of: self.url)
        var path = String(self.url.prefix { $0 != "?" })
        // A URL without a path means the same as one with the path `/` (RFC 9110 §4.2.3).
        if let scheme = path.range(of: "://"), !path[scheme.upperBound...].contains("/") { path += "/" }
        place = Place(method: method.uppercased(), path: path)
    }

    /// The URL for an error: on one line, shortened, and without secrets, even if nothing is redacted otherwise.
    var shownURL: String { PlainText.line(HARRedactor(.standard).url(url), limit: 500) }

    /// The method and the URL for an error.
    var name: String { "\(place.method) " + shownURL }

    /// Returns true if a request with `other` as its address may receive the answer that was recorded for this address.
    func matches(_ other: HARAddress) -> Bool {
        guard place == other.place, items.count == other.items.count else { return false }
        return items.indices.allSatisfy { index in
            items[index] == other.items[index] || redactedItems[index] == other.redactedItems[index]
        }
    }

    private static func items(of url: String) -> [Substring] {
        url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst().split(separator: "&", omittingEmptySubsequences: false)
    }
}
