package import Foundation

/// The stored responses that an unsafe request makes invalid (RFC 9111 §4.4).
package enum CacheInvalidation {
    /// Returns the URLs whose stored responses become invalid: the target, and `Location` and `Content-Location` if
    /// they have the same origin. Empty if the method is safe or the response is an error. Fragments are removed.
    package static func targets(
        method: String, status: Int, url: URL, location: String?, contentLocation: String?
    ) -> [URL] {
        guard !HTTPMethods.isSafe(method), (200...399).contains(status) else { return [] }
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
