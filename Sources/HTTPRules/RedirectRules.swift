import Foundation

/// The rules for following redirects (RFC 9110, section 15.4).
///
/// If the `Location` of a redirect is unusable, the redirect itself becomes the response, with its status and headers.
public struct RedirectRules: Sendable, Equatable {
    /// The maximum number of redirects for one request.
    public var limit: Int

    /// True if redirects from https to http are followed. After such a redirect, anyone on the network path can read
    /// and change the request and the response.
    public var allowsInsecure: Bool

    /// Creates the rules. By default, up to 20 redirects are followed, and a redirect from https to http is an error.
    public init(limit: Int = 20, allowsInsecure: Bool = false) {
        self.limit = limit
        self.allowsInsecure = allowsInsecure
    }

    /// Returns the step after a response to `request` with this `status` and `location`. `redirects` is the number of
    /// redirects that were already followed.
    ///
    /// After several redirects, always pass the request that was redirected last, not the first request. A header that
    /// one redirect has removed is then not sent again.
    public func step(after request: Request, status: Int, location: String?, redirects: Int) -> Step {
        guard
            Self.redirectStatuses.contains(status),
            let target = location.flatMap({ Self.target($0, from: request.url) })
        else { return .deliver }

        let (origin, next) = (URLOrigin(request.url), URLOrigin(target))
        guard allowsInsecure || !origin.isSecure || next.isSecure else { return .insecure }
        let method = Self.method(after: request.method, redirectedBy: status)
        guard method != nil || request.canResendBody else { return .deliver }
        guard redirects < limit else { return .tooMany }
        return .follow(
            Redirect(
                url: target, method: method ?? request.method, keepsBody: method == nil, keepsOrigin: origin == next))
    }

    /// The statuses 300, 304, 305 and 306 are omitted: they ask for a choice, a cache or a proxy, or are obsolete.
    private static let redirectStatuses: Set<Int> = [301, 302, 303, 307, 308]

    /// The maximum length of a `Location`, in bytes. RFC 9110, section 4.1 recommends at least 8000. Servers refuse
    /// longer targets (section 15.5.15), and each request copies its URL many times.
    private static let locationLimit = 16 << 10

    /// Returns the method of a new request without a body. Returns nil if method and body stay the same.
    private static func method(after method: String, redirectedBy status: Int) -> String? {
        switch (status, method.uppercased()) {
        case (303, "HEAD"): nil
        case (303, _), (301, "POST"), (302, "POST"): "GET"
        default: nil
        }
    }

    /// Returns the absolute URL of a `Location` value relative to `current` (RFC 3986, section 5; RFC 9110, section
    /// 10.2.2).
    ///
    /// Returns nil if the URL is not http or https, has no host or is too long. It also returns nil if the value has a
    /// user name, which may be an attempt to hide the host (RFC 9110, section 4.2.4).
    private static func target(_ location: String, from current: URL) -> URL? {
        guard location.utf8.count <= locationLimit else { return nil }
        let location = location.trimmingCharacters(in: .whitespaces)
        guard
            let reference = URL(reference: location), reference.user == nil, reference.password == nil,
            let target = URL(reference: location, relativeTo: current),
            let scheme = target.scheme?.lowercased(), scheme == "http" || scheme == "https",
            target.host?.isEmpty == false
        else { return nil }
        return target.inheritingFragment(of: current)
    }
}

extension URL {
    fileprivate func inheritingFragment(of other: URL) -> URL {
        guard !absoluteString.contains("#"), let hash = other.absoluteString.firstIndex(of: "#") else { return self }
        return URL(reference: absoluteString + other.absoluteString[hash...]) ?? self
    }
}
