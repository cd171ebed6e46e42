import Foundation
import HTTPRules
import Isolation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The cookies of a service whose requests go through `URLSession`. Foundation parses cookies and selects them.
///
/// The session itself has no cookie storage: on Linux, it would replace the `Cookie` header of a request, and would not
/// apply all rules. Any thread may use the store.
final class SessionCookies: CookieStore {
    private let state: Locked<State>
    private let onChange: (@Sendable (SessionCookies) -> Void)?

    private struct State {
        let storage = UncheckedSendable(URLSessionConfiguration.ephemeral.httpCookieStorage)  // its own, in memory
        var mayHaveCookies: Bool
    }

    /// Loads the stored cookies; nil after that. Its lock is held while they are loaded, so that no request starts
    /// without them.
    private let loading: Locked<(@Sendable () -> [Cookie])?>

    init(loading: (@Sendable () -> [Cookie])?, onChange: (@Sendable (SessionCookies) -> Void)?) {
        self.loading = Locked(loading)
        state = Locked(State(mayHaveCookies: loading != nil))
        self.onChange = onChange
    }

    var mayHaveCookies: Bool { state.withLock { $0.mayHaveCookies } }

    func cookies() async -> [Cookie] {
        let now = Date()
        return withStorage { ($0.cookies ?? []).map { Cookie($0) } }.filter { $0.isCurrent(at: now) }
    }

    func remove(where isRemoved: @escaping @Sendable (Cookie) -> Bool) async {
        for cookie in withStorage({ $0.cookies ?? [] }) where isRemoved(Cookie(cookie)) {
            withStorage { $0.deleteCookie(cookie) }
        }
        onChange?(self)
    }

    func removeAll() async { await remove { _ in true } }

    /// Returns a request with the cookies for its URL, in addition to those of its `Cookie` header.
    func adding(to request: URLRequest) -> URLRequest {
        guard mayHaveCookies, let url = request.url else { return request }
        let now = Date()
        let cookies = withStorage { ($0.cookies(for: url) ?? []).filter { Cookie($0).isSent(to: url, at: now) } }
        guard let field = HTTPCookie.requestHeaderFields(with: cookies)["Cookie"], !field.isEmpty else {
            return request
        }
        var request = request
        let own = request.value(forHTTPHeaderField: "Cookie").map { "; \($0)" } ?? ""
        request.setValue(field + own, forHTTPHeaderField: "Cookie")
        return request
    }

    /// Stores the cookies of a response from `url`.
    func receive(_ response: URLResponse, from url: URL?) {
        guard let response = response as? HTTPURLResponse, let url, let host = url.host?.lowercased(),
            response.value(forHTTPHeaderField: "Set-Cookie") != nil
        else { return }
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            let isCookie = "\(name)".lowercased() == "set-cookie"
            fields[isCookie ? "Set-Cookie" : "\(name)"] = isCookie ? Self.withExpires("\(value)") : "\(value)"
        }
        let cookies = HTTPCookie.cookies(withResponseHeaderFields: fields, for: url).filter {
            Cookie($0).matches(host) && (!$0.isSecure || url.scheme?.lowercased() == "https")
        }
        guard !cookies.isEmpty else { return }
        withStorage { $0.setCookies(cookies, for: url, mainDocumentURL: nil) }
        state.withLock { $0.mayHaveCookies = true }
        onChange?(self)
    }

    /// Returns the fields with each `Max-Age` replaced by an `Expires`, because Foundation on Linux ignores `Max-Age`. Another
    /// `Expires` of the same cookie does not count then, and is removed (RFC 6265, section 5.3).
    private static func withExpires(_ field: String, now: Date = Date()) -> String {
        #if os(Linux) || os(Android)
        let maxAge = /\s*max-age\s*=\s*"?(?<sign>-?)(?<seconds>\d+)"?/.ignoresCase()
        let expires = /\s*expires\s*=\s*"?(?:[a-z]+,)?[^,]*/.ignoresCase()  // A date contains a comma.
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = .gmt
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        var parts = field.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        // What belongs to the current cookie. A part may end with the beginning of the next cookie.
        var (hasAge, dates): (Bool, [(index: Int, rest: String)]) = (false, [])
        for index in parts.indices.dropFirst() {
            let part = parts[index]
            let (age, date) = (part.prefixMatch(of: maxAge), part.prefixMatch(of: expires))
            let rest = String(part[(age?.range.upperBound ?? date?.range.upperBound ?? part.startIndex)...])
            if date != nil { dates.append((index, rest)) }
            if let age {
                hasAge = true
                let seconds = age.sign.isEmpty ? min(Double(age.seconds) ?? 0, 34_560_000) : 0  // At most 400 days.
                let end = seconds == 0 ? Date(timeIntervalSince1970: 1) : now.addingTimeInterval(seconds)
                parts[index] = " Expires=\(format.string(from: end))\(rest)"
            }
            guard rest.contains(",") || index == parts.count - 1 else { continue }
            if hasAge { for date in dates { parts[date.index] = date.rest } }
            (hasAge, dates) = (false, [])
        }
        return parts.joined(separator: ";")
        #else
        return field
        #endif
    }

    /// Loads the stored cookies at the first call.
    private func withStorage<Result>(_ work: (HTTPCookieStorage) -> sending Result) -> sending Result {
        guard let storage = state.withLock({ $0.storage }).value else {
            preconditionFailure("An ephemeral configuration stores cookies")
        }
        loading.withLock { loading in
            for cookie in loading?() ?? [] { HTTPCookie(cookie).map { storage.setCookie($0) } }
            loading = nil
        }
        return work(storage)
    }
}

extension Cookie {
    init(_ cookie: HTTPCookie) {
        let domain = cookie.domain.lowercased()
        self.init(
            name: cookie.name, value: cookie.value, domain: String(domain.drop { $0 == "." }),
            includesSubdomains: domain.hasPrefix("."),
            path: cookie.path.utf8.first == UInt8(ascii: "/") ? cookie.path : "/",
            expires: cookie.isSessionOnly ? nil : cookie.expiresDate, isSecure: cookie.isSecure,
            isHTTPOnly: cookie.isHTTPOnly)
    }

    /// Returns true if the cookie is sent to `url` (RFC 6265, section 5.4).
    fileprivate func isSent(to url: URL, at date: Date) -> Bool {
        guard let host = url.host?.lowercased(), matches(host), isCurrent(at: date) else { return false }
        guard !isSecure || url.scheme?.lowercased() == "https" else { return false }
        let written = url.path(percentEncoded: true)
        // The default path of a cookie comes from Foundation, which decodes it. `path` lacks a slash at the end.
        let decoded = url.path + (written.utf8.last == UInt8(ascii: "/") && url.path != "/" ? "/" : "")
        return [written, decoded].contains { includes($0.isEmpty ? "/" : $0) }
    }

    /// Returns true if the path of a request is the path of the cookie, or below it (RFC 6265, section 5.1.4).
    private func includes(_ target: String) -> Bool {
        let folder = path.utf8.last == UInt8(ascii: "/") ? path : path + "/"
        return target.hasSameBytes(as: path) || target.starts(withUTF8Of: folder)
    }

    /// Returns true if the cookie belongs to a host (RFC 6265, section 5.1.3). A cookie of a domain without a dot, such as
    /// a top-level domain, belongs to the host of that name only. An IP address is part of no domain.
    fileprivate func matches(_ host: String) -> Bool {
        host == domain
            || includesSubdomains && domain.contains(".") && host.hasSuffix("." + domain) && !Self.isAddress(host)
    }

    /// Returns true for an IP address: no top-level domain consists of digits.
    private static func isAddress(_ host: String) -> Bool {
        host.utf8.contains(UInt8(ascii: ":"))
            || host.split(separator: ".").last?.utf8.allSatisfy(\.isASCIIDigit) ?? false
    }
}

extension HTTPCookie {
    fileprivate convenience init?(_ cookie: Cookie) {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: cookie.name, .value: cookie.value, .path: cookie.path,
            .domain: (cookie.includesSubdomains ? "." : "") + cookie.domain,
        ]
        if cookie.isSecure { properties[.secure] = "TRUE" }
        if cookie.isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        properties[.expires] = cookie.expires
        self.init(properties: properties)
    }
}
