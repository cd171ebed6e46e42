package import Foundation
package import HTTPRules

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

extension NetworkResponse {
    /// The head of a redirect that a provider has followed.
    package struct Hop: Sendable {
        package let status: Int
        package let fields: HeaderFields
    }

    /// The redirects that led to a response.
    package enum RedirectChain: Sendable {
        /// All of them, in order. The array is empty if the first request had a response other than a redirect.
        case known([Hop])
        /// The provider has followed at least one redirect whose head is not known, or may have done so.
        case unknown
    }
}

extension NetworkResponse {
    /// The redirects that led from one request to another, whose response this is.
    package struct FollowedRedirects: Sendable {
        /// The redirected requests in order, each with the fields of its redirect.
        package let redirected: [(method: String, url: URL, fields: HeaderFields)]
        /// The last request.
        package let last: RedirectRules.Redirect

        /// True if the last request has another method than the first. Its response does not say whether the server has
        /// carried out the first (RFC 9110 §15.4.4).
        package var changesMethod: Bool { last.method != redirected.first?.method }
    }

    /// Returns the redirects of a request; nil if there were none, or if they are unknown.
    package func redirects(of request: URLRequest) -> FollowedRedirects? {
        guard let hops = head?.redirects, !hops.isEmpty, var url = request.url else { return nil }
        var (method, last): (String, RedirectRules.Redirect?) = (request.httpMethod ?? "GET", nil)
        var redirected: [(method: String, url: URL, fields: HeaderFields)] = []
        for hop in hops {
            guard let redirect = hop.redirect(of: method, to: url) else { return nil }
            redirected.append((method, url, hop.fields))
            (url, method, last) = (redirect.url, redirect.method, redirect)
        }
        return last.map { FollowedRedirects(redirected: redirected, last: $0) }
    }
}

extension NetworkResponse.Hop {
    /// Returns the request that the provider has sent after this redirect of a request to `source`.
    func redirect(of method: String, to source: URL) -> RedirectRules.Redirect? {
        let rules = RedirectRules(limit: 1, allowsInsecure: true)
        let step = rules.step(
            after: .init(method: method, url: source, canResendBody: true), status: status,
            location: fields.location, redirects: 0)
        if case .follow(let redirect) = step { return redirect } else { return nil }
    }
}

extension HeaderFields {
    /// The target of a redirect. Equal values of several fields count as one, as in the transport; nil if there is no field, or
    /// if the values contradict each other.
    fileprivate var location: String? {
        let values = pairs.filter { $0.name.isEqual(toASCII: "location") }.map(\.value)
        guard let first = values.first else { return nil }
        return values.allSatisfy { $0.hasSameBytes(as: first) } ? first : nil
    }
}

extension NetworkResponse.Head {
    /// The heads of the redirects that led to the response, in order; empty if they are unknown.
    package var redirects: [NetworkResponse.Hop] {
        if case .known(let hops) = chain { hops } else { [] }
    }

    /// True if the heads of the redirects are not known, or not all of them. Then nothing shows for how long the
    /// redirects hold.
    package var hasUnknownRedirects: Bool {
        if case .unknown = chain { true } else { false }
    }

    /// The fields of the response, with a `Vary` that also names the request fields by which the server has selected the
    /// redirects. For a request with other values, it may redirect to another place (RFC 9111 §4.1). A 304 without a `Vary`
    /// does not change that of the stored response.
    package var fieldsAfterRedirects: HeaderFields {
        guard case .known(let hops) = chain, !hops.isEmpty else { return fields }
        let (names, own) = (hops.compactMap { $0.fields["vary"] }, fields["vary"])
        guard !names.isEmpty, status != 304 || own != nil else { return fields }
        return fields.setting(["vary": (names + [own].compactMap { $0 }).joined(separator: ", ")])
    }
}

extension NetworkResponse.RedirectChain {
    /// Creates the chain for a provider that reports no redirects.
    ///
    /// If the response has another URL than the request, there were redirects. A redirect to the same URL cannot be
    /// detected.
    ///
    /// - Parameter source: nil if nobody uses the chain. Then it is unknown, because a comparison of URLs takes half the
    ///   time of a request.
    init(from source: URL?, to target: @autoclosure () -> URL?) {
        self = source?.hasSameTarget(as: target()) ?? false ? .known([]) : .unknown
    }

    /// Adds a redirect. If the redirects of the chain become too large, the chain becomes unknown.
    mutating func append(_ hop: NetworkResponse.Hop) {
        guard case .known(var hops) = self else { return }
        self = .unknown
        hops.append(hop)
        guard hops.reduce(0, { $0 + $1.fields.byteCount }) <= Self.limit else { return }
        self = .known(hops)
    }

    /// The maximum size of the fields of all redirects, in bytes.
    private static let limit = 256 << 10
}

extension URL {
    /// Returns true if requests for both URLs have the same target: they may differ in their fragments, in the case of
    /// scheme and host, in an explicit standard port, in an empty path, and in escapes without a meaning (RFC 9110 §4.2.3,
    /// RFC 3986 §6.2.2).
    package func hasSameTarget(as other: URL?) -> Bool {
        guard let other else { return false }
        return self == other || Target(self) == Target(other)
    }

    private struct Target: Equatable {
        let origin: URLOrigin
        let path: String
        let query: String?

        init(_ url: URL) {
            let url = url.absoluteURL
            origin = URLOrigin(url)
            let encodedPath = URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedPath ?? ""
            path = encodedPath.isEmpty ? "/" : PercentEncoding.normalized(encodedPath)
            query = url.query.map(PercentEncoding.normalized)
        }
    }
}
