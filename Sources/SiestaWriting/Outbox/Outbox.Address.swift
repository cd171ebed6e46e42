import Foundation
import HTTPRules
import SiestaCore

extension Outbox {
    /// The address of a request or an edit. Addresses are compared by their bytes.
    package enum Address: Hashable, Sendable {
        /// An absolute URL.
        case url(String)
        /// An escaped path below the URL of the resource that the entry with this identity creates. An empty path means
        /// the resource itself.
        case created(by: String, path: String)

        /// The URL; nil until the resource is created.
        package var url: String? {
            if case .url(let text) = self { text } else { nil }
        }

        package static func == (left: Self, right: Self) -> Bool {
            left.creator.map(ExactText.init) == right.creator.map(ExactText.init)
                && ExactText(left.text) == ExactText(right.text)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(creator.map(ExactText.init))
            hasher.combine(ExactText(text))
        }

        var text: String {
            switch self {
            case .url(let text): text
            case .created(_, let path): path
            }
        }

        /// The identity of the entry that creates the resource; nil if the URL is known.
        package var creator: String? {
            if case .created(let id, _) = self { id } else { nil }
        }

        /// Returns the URL if the address was relative to the resource that `id` created at `created`.
        package func resolved(_ id: String, at created: String) -> Self {
            guard case .created(id, let path) = self else { return self }
            let base = created.prefix { $0 != "#" }
            guard !path.isEmpty else { return .url(String(base)) }
            let start = base.prefix { $0 != "?" }.trimmingSuffix("/")
            return .url(start + (path.hasPrefix("/") || path.hasPrefix("?") ? "" : "/") + path)
        }

        /// Returns the URL of a created resource (RFC 9110 §10.2.2): `location`, resolved against the URL that has answered.
        /// This is `answer`, to which redirects have led, or nil if the request's own URL has answered.
        ///
        /// Without a location, a PUT has created the resource at the request's URL (RFC 9110 §9.3.4). After other methods the
        /// URL is unknown: a DELETE that depends on a POST must not delete the collection. The URL must have the scheme, the
        /// host and the port of the request, because the next change has the configured credentials. It must contain no
        /// password, which an outbox never stores. After a POST, it must be neither of the two other URLs: see above.
        static func ofCreated(
            method: String, request: String, answeredAt answer: String? = nil, location: String?
        ) -> String? {
            let isPut = method.uppercased() == "PUT"
            guard let location else { return isPut ? request : nil }
            guard let base = (answer ?? request).url, let url = URL(reference: location, relativeTo: base),
                url.host?.isEmpty == false, url.user == nil, url.password == nil, let created = Target(url)
            else { return nil }
            for other in Set([request, isPut ? request : answer ?? request]) {
                guard let other = other.url.flatMap({ Target($0.absoluteURL) }), created.origin == other.origin,
                    isPut || created != other
                else { return nil }
            }
            return url.absoluteString
        }

        /// The target of a URL, which is the same for all its spellings (RFC 3986 §6.2). An empty query counts as none.
        private struct Target: Equatable {
            let origin: URLOrigin
            let path: String
            let query: String?

            init?(_ url: URL) {
                // An escaped dot becomes a dot before the dot segments are removed.
                guard let plain = URL(string: PercentEncoding.normalized(url.absoluteString))?.standardized,
                    let parts = URLComponents(url: plain, resolvingAgainstBaseURL: true)
                else { return nil }
                origin = URLOrigin(plain)
                // The decoded path would turn an escaped slash into a separator.
                path = parts.percentEncodedPath[...].trimmingSuffix("/")
                query = parts.percentEncodedQuery == "" ? nil : parts.percentEncodedQuery
            }
        }
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String {
        var rest = self
        while rest.last == suffix { rest.removeLast() }
        return String(rest)
    }
}
