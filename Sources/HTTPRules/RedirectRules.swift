import Foundation

/// Decides what follows a response that may be a redirect (RFC 9110, section 15.4).
///
/// A `Location` that leads nowhere is no error of the rules: the redirect is the answer, and the caller sees its status
/// and headers.
public struct RedirectRules: Sendable, Equatable {
    /// The most redirects followed for one request.
    public var limit: Int

    /// Whether a redirect may lead from https to http, where everybody on the way can read and change the request and
    /// the response.
    public var allowsInsecure: Bool

    /// Creates the rules with the most redirects to follow for one request.
    public init(limit: Int = 20, allowsInsecure: Bool = false) {
        self.limit = limit
        self.allowsInsecure = allowsInsecure
    }

    /// The step after a response of `status` and `location` to `request`, when `redirects` were followed already.
    ///
    /// A header that one hop drops stays dropped if each step starts from the request of the hop before.
    public func step(after request: Request, status: Int, location: String?, redirects: Int) -> Step {
        guard
            Self.redirectStatuses.contains(status),
            let target = location.flatMap({ Self.target($0, from: request.url) })
        else { return .deliver }

        let (origin, next) = (Origin(request.url), Origin(target))
        guard allowsInsecure || !origin.isSecure || next.isSecure else { return .insecure }
        let method = Self.method(after: request.method, redirectedBy: status)
        guard method != nil || request.canResendBody else { return .deliver }
        guard redirects < limit else { return .tooMany }
        return .follow(
            Redirect(
                url: target, method: method ?? request.method, keepsBody: method == nil, keepsOrigin: origin == next))
    }

    /// 300, 304, 305 and 306 are left out: they ask for a choice, a cache or a proxy, or mean nothing any more.
    private static let redirectStatuses: Set<Int> = [301, 302, 303, 307, 308]

    /// The longest `Location` that is followed, in bytes; RFC 9110, section 4.1 asks for at least 8000. Servers refuse
    /// longer targets (section 15.5.15), and a URL is copied many times on its way.
    private static let longestLocation = 16 << 10

    /// The method of a new request without a body, or nil where method and body stay as they are.
    private static func method(after method: String, redirectedBy status: Int) -> String? {
        switch (status, method.uppercased()) {
        case (303, "HEAD"): nil
        case (303, _), (301, "POST"), (302, "POST"): "GET"
        default: nil
        }
    }

    /// The absolute URL that a `Location` value means for `current` (RFC 3986, section 5; RFC 9110, section 10.2.2).
    ///
    /// Nil unless it is http or https with a host, and not too long. A user name in the value counts as an attempt to
    /// hide the host (RFC 9110, section 4.2.4).
    private static func target(_ location: String, from current: URL) -> URL? {
        guard location.utf8.count <= longestLocation else { return nil }
        let location = location.trimmingCharacters(in: .whitespaces)
        guard
            !location.isEmpty,
            !location.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }),
            let reference = URL(string: location), reference.user == nil, reference.password == nil,
            let target = URL(string: location, relativeTo: current)?.absoluteURL,
            let scheme = target.scheme?.lowercased(), scheme == "http" || scheme == "https",
            target.host?.isEmpty == false
        else { return nil }
        return target.inheritingFragment(of: current)
    }
}

/// Whom a URL addresses: two equal origins may share secrets (RFC 9110, section 4.3.1).
private struct Origin: Equatable {
    let scheme: String?
    let host: String?
    let port: Int?

    var isSecure: Bool { scheme == "https" }

    init(_ url: URL) {
        scheme = url.scheme?.lowercased()
        host = url.host?.lowercased()
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}

extension URL {
    fileprivate func inheritingFragment(of other: URL) -> URL {
        guard !absoluteString.contains("#"), let hash = other.absoluteString.firstIndex(of: "#") else { return self }
        return URL(string: absoluteString + other.absoluteString[hash...]) ?? self
    }
}
