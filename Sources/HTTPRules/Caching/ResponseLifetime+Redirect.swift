extension ResponseLifetime {
    /// Returns the lifetime limited by a redirect that led to the response, so that the result is fresh only while
    /// both are. `delay` is the number of seconds between both responses.
    ///
    /// A temporary redirect without a lifetime makes the result stale, but the cache may store the result. A permanent
    /// redirect (301 or 308) about which the server says nothing does not limit (RFC 9110 §15.4.2, §15.4.9).
    package func limited(byRedirect redirect: ResponseLifetime, delay: Double) -> ResponseLifetime {
        if redirect.isPermanent, redirect.reason == .none || redirect.reason == .fallback { return self }
        var limited = self
        let freshness = Double(redirect.lifetime) - redirect.age(after: delay)
        let limit = UInt32(delta: freshness + initialAge)
        if limit < lifetime {
            limited.lifetime = limit
            limited.reason = .redirect
        }
        limited.staleWhileRevalidate = min(staleWhileRevalidate, redirect.staleWhileRevalidate)
        limited.forbidsStale = forbidsStale || redirect.forbidsStale
        limited.isStorable = isStorable && redirect.reason != .noStore
        limited.isImmutable = isImmutable && redirect.isImmutable
        return limited
    }

    private var isPermanent: Bool { status == 301 || status == 308 }
}
