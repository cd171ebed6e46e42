package import Foundation

/// The stored responses that an unsafe request makes invalid (RFC 9111 §4.4).
package enum CacheInvalidation {
    /// Returns the URLs whose stored responses become invalid: the target, and `Location` and `Content-Location` if
    /// they have the same origin. Empty if the method is safe or the response is an error. Fragments are removed.
    package static func targets(
        method: String, status: Int, url: URL, location: String?, contentLocation: String?
    ) -> [URL] {
        guard !safeMethods.contains(method), (200...399).contains(status) else { return [] }
        var targets = [url.withoutFragment]
        let origin = URLOrigin(url)
        for reference in [location, contentLocation] {
            guard let reference, let target = URL(reference: reference, relativeTo: url)?.withoutFragment,
                URLOrigin(target) == origin, !targets.contains(target)
            else { continue }
            targets.append(target)
        }
        return targets
    }

    /// The safe methods of the registry (RFC 9110 §16.1.1). Methods are compared with case.
    private static let safeMethods: Set<String> = [
        "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY", "PRI",
    ]
}

extension URL {
    fileprivate var withoutFragment: URL {
        guard fragment != nil, var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return self
        }
        components.fragment = nil
        return components.url ?? self
    }
}
