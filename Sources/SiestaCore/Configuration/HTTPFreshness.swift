import Foundation
import HTTPRules

/// The rules of HTTP caching as one configuration applies them. Pure.
package struct HTTPFreshness: Sendable {
    let policy = CachePolicy(.private)
    /// The lifetime of a response that names none and has no `Last-Modified`, in seconds.
    let fallback: TimeInterval
    /// The directives in the configured headers.
    let directives: RequestDirectives

    init?(_ configuration: Configuration) {
        let rule = configuration.freshness
        guard rule.followsHTTP else { return nil }
        fallback = rule.fallback ?? max(0, configuration.expirationTime)
        directives = RequestDirectives(HeaderFields(configuration.headers))
    }

    /// The facts about a request that decide about the response. A class, so that its absence costs little.
    package final class Asked: Sendable {
        let http: HTTPFreshness
        let method: String
        let url: URL?
        /// The headers of the request, as a cache compares them.
        let headers: [String: String]
        /// The number of the configuration from which the request was made; `UInt64.max` if the request may have other
        /// headers.
        let configuration: UInt64
        /// The monotonic time at which the request was sent, in seconds.
        let time: TimeInterval

        init(
            http: HTTPFreshness, method: String, url: URL?, headers: [String: String], configuration: UInt64,
            time: TimeInterval
        ) {
            (self.http, self.method, self.url, self.headers) = (http, method, url, headers)
            (self.configuration, self.time) = (configuration, time)
        }
    }

    /// Returns the caching info of a response to `asked`.
    ///
    /// The time of the request is computed from `duration`, the time from the request to the response in seconds, so that
    /// a clock that is set in the meantime changes no age.
    func cachingInfo(
        _ head: NetworkResponse.Head, _ asked: Asked, at responseTime: TimeInterval, duration: TimeInterval
    ) -> CachingInfo {
        let requestTime = responseTime - max(0, duration)
        let (fields, status) = (head.fieldsAfterRedirects, head.status)
        let redirects = head.redirects.map { hop in
            policy.lifetime(
                of: hop.fields, status: hop.status, requestTime: requestTime, responseTime: responseTime, fallback: nil)
        }
        let limit = head.hasUnknownRedirects ? 0 : redirects.compactMap(\.timeOfRedirect).min()
        let forbidsStale = redirects.contains(where: \.forbidsStale)
        let headers = HeaderFields(asked.headers)
        var lifetime = lifetime(
            fields, status, from: requestTime, to: responseTime, redirectLimit: limit, forbidsStale: forbidsStale)
        let directives = RequestDirectives(headers)
        let isStorable =
            policy.mayStore(
                method: asked.method, status: status, request: directives,
                hasAuthorization: headers["authorization"] != nil, response: fields)
            && (asked.method != "POST" || isContent(fields.reference("content-location"), of: asked.url))
        if lifetime.isStorable, !isStorable { lifetime.forbidUse() }
        return CachingInfo(
            lifetime, requestTime: requestTime, responseTime: responseTime, redirectLimit: limit,
            redirectsForbidStale: forbidsStale, forbidsStoring: directives.noStore, response: fields,
            variant: .init(fields, request: headers, configuration: asked.configuration))
    }

    /// Returns true if the content of a response to POST is that of its target (RFC 9110 §9.3.3).
    private func isContent(_ location: String?, of url: URL?) -> Bool {
        guard let location, let url else { return false }
        return url.hasSameTarget(as: URL(reference: location, relativeTo: url))
    }

    /// Returns the caching info of `data` after the server has confirmed it with `confirmation`, which changed the
    /// header fields to `fields`.
    func cachingInfo(
        confirming data: Entity<Any>, _ fields: HeaderFields, by confirmation: CachingInfo
    ) -> CachingInfo {
        let (limit, forbidsStale) = (confirmation.redirectLimit, confirmation.redirectsForbidStale)
        var lifetime = lifetime(
            fields, data.statusCode ?? 200, from: confirmation.requestTime, to: confirmation.responseTime,
            redirectLimit: limit, forbidsStale: forbidsStale)
        if confirmation.forbidsStoring { lifetime.forbidUse() }
        return CachingInfo(
            lifetime, requestTime: confirmation.requestTime, responseTime: confirmation.responseTime,
            redirectLimit: limit, redirectsForbidStale: forbidsStale, forbidsStoring: confirmation.forbidsStoring,
            response: fields,
            variant: fields["vary"] == data.headerFields["vary"]
                ? data.cachingInfo?.variant ?? confirmation.variant : confirmation.variant)
    }

    /// Returns the caching info of an entity from a cache, whose request had the same selecting headers as a load has
    /// now.
    func cachingInfo(
        restoring entity: Entity<Any>, headers: @autoclosure () -> [String: String], configuration: UInt64
    ) -> CachingInfo {
        let old = entity.cachingInfo
        let (asked, received) = (old?.requestTime ?? entity.timestamp, old?.responseTime ?? entity.timestamp)
        let status = entity.statusCode ?? 200
        let (limit, forbidsStale) = (old?.redirectLimit, old?.redirectsForbidStale ?? false)
        let lifetime = lifetime(
            entity.headerFields, status, from: asked, to: received, redirectLimit: limit, forbidsStale: forbidsStale)
        return CachingInfo(
            lifetime, requestTime: asked, responseTime: received, redirectLimit: limit,
            redirectsForbidStale: forbidsStale, response: entity.headerFields,
            variant: entity.headerFields.contains("vary")
                ? .init(entity.headerFields, request: HeaderFields(headers()), configuration: configuration) : nil)
    }

    /// Returns the lifetime of a response.
    ///
    /// - Parameters:
    ///   - redirectLimit: the time for which the redirects that led to it may be used again; nil without a limit.
    ///   - forbidsStale: true if one of these redirects must not be used when it is stale.
    private func lifetime(
        _ fields: HeaderFields, _ status: Int, from requestTime: TimeInterval, to responseTime: TimeInterval,
        redirectLimit: UInt32?, forbidsStale: Bool
    ) -> ResponseLifetime {
        var lifetime = policy.lifetime(
            of: fields, status: status, requestTime: requestTime, responseTime: responseTime, fallback: fallback)
        if let redirectLimit { lifetime.limit(toRedirects: redirectLimit) }
        if forbidsStale { lifetime.forbidsStale = true }
        return lifetime
    }
}

extension ResponseLifetime {
    /// The time after the response for which a redirect with this lifetime may be used again; nil if it sets no limit.
    ///
    /// A redirect that names no lifetime may be used again if it is permanent (RFC 9110 §15.4.2 and §15.4.9), and not if
    /// it is temporary.
    fileprivate var timeOfRedirect: UInt32? {
        if reason == .none { return [301, 308].contains(status) ? nil : 0 }
        return isStorable ? UInt32(delta: TimeInterval(lifetime) - initialAge) : 0
    }

    /// Makes the response stale for ever, because its request does not allow to store it.
    fileprivate mutating func forbidUse() {
        (isStorable, lifetime, forbidsStale) = (false, 0, true)
        (staleWhileRevalidate, staleIfError, statesStaleIfError, isImmutable) = (0, 0, false, false)
    }

    /// Ends the lifetime when a redirect that led to the response may no longer be used: `limit` seconds after the response.
    fileprivate mutating func limit(toRedirects limit: UInt32) {
        let end = (initialAge + TimeInterval(limit)).rounded(.down)
        // After the end, the redirects must be confirmed before the data is used. The age can be any number, because the
        // server chooses the `Date`.
        staleWhileRevalidate = min(staleWhileRevalidate, UInt32(delta: end - TimeInterval(lifetime)))
        guard end < TimeInterval(lifetime) else { return }
        (lifetime, reason, isImmutable) = (UInt32(delta: end), .redirect, false)
    }
}
