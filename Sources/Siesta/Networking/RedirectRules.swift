import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Decides what follows a response that may be a redirect (RFC 9110, section 15.4).
///
/// A redirect that cannot be followed safely is no error: it is the answer, and the caller sees its status and headers.
struct RedirectRules: Sendable {
    /// What to do about one response.
    enum Step: Equatable {
        /// Send this request; its answer counts.
        case follow(URLRequest)
        /// The response at hand is the answer.
        case deliver
        /// Give up: too many redirects.
        case fail(URLError.Code)
    }

    /// The most redirects followed for one request.
    var limit = TransferLimits().redirects

    /// Header fields meant for one origin only; dropped when scheme, host or port changes (RFC 9110, section 15.4, 2).
    var headersBoundToOrigin = ["Authorization", "Cookie", "Host", "Origin", "Proxy-Authorization"]

    /// The step after a response of `status` and `location` to `request`, when `redirects` were followed already.
    ///
    /// A header that one hop drops stays dropped, because each step starts from the request of the hop before.
    func step(after request: URLRequest, status: Int, location: String?, redirects: Int) -> Step {
        guard
            Self.redirectStatuses.contains(status),
            let current = request.url,
            let target = location.flatMap({ Self.target($0, from: current) }),
            var next = Self.message(request, redirectedBy: status)
        else { return .deliver }
        guard redirects < limit else { return .fail(.httpTooManyRedirects) }

        next.url = target
        if Origin(current) != Origin(target) {
            next.removeHeaders(headersBoundToOrigin)
        }
        if current.scheme?.lowercased() == "https", target.scheme?.lowercased() == "http" {
            next.removeHeaders(["Referer"])  // RFC 9110, section 10.1.3
        }
        return .follow(next)
    }

    /// 300, 304, 305 and 306 are left out: they ask for a choice, a cache or a proxy, or mean nothing any more.
    private static let redirectStatuses: Set<Int> = [301, 302, 303, 307, 308]

    private static let headersAboutBody = [
        "Content-Digest", "Content-Encoding", "Content-Language", "Content-Length", "Content-Location", "Content-Type",
        "Digest", "Expect", "Last-Modified", "Repr-Digest", "Trailer", "Transfer-Encoding",
    ]

    /// `request` with method and body as the redirect wants them, or nil if its body cannot be sent a second time.
    private static func message(_ request: URLRequest, redirectedBy status: Int) -> URLRequest? {
        var next = request
        switch (status, request.httpMethod?.uppercased() ?? "GET") {
        case (303, "HEAD"):
            return next
        case (303, _), (301, "POST"), (302, "POST"):
            next.httpMethod = "GET"
            next.httpBodyStream = nil
            next.httpBody = nil
            next.removeHeaders(headersAboutBody)
            return next
        default:
            return request.httpBodyStream == nil ? next : nil
        }
    }

    /// The absolute URL that a `Location` value means for `current` (RFC 3986, section 5; RFC 9110, section 10.2.2).
    ///
    /// Nil unless it is http or https with a host. A user name in the value counts as an attempt to hide the host
    /// (RFC 9110, section 4.2.4).
    private static func target(_ location: String, from current: URL) -> URL? {
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

extension URLRequest {
    fileprivate mutating func removeHeaders(_ names: [String]) {
        for name in names {
            setValue(nil, forHTTPHeaderField: name)
        }
    }
}
