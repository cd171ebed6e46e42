/// The result of the caching rules for one response, computed once when the response arrives. Fixed size; reading it
/// allocates nothing. Times are in seconds.
package struct ResponseLifetime: Sendable, Equatable {
    /// The rule that determines ``lifetime``.
    package enum Reason: UInt8, Sendable, CaseIterable {
        /// Neither the server nor a heuristic gives a lifetime, or nothing permits storing the response (§3).
        case none
        /// `max-age` (§5.2.2.1).
        case maxAge
        /// `s-maxage`, in a shared cache (§5.2.2.10).
        case sharedMaxAge
        /// `Expires` (§5.3).
        case expires
        /// A part of the time since `Last-Modified` (§4.2.2).
        case heuristic
        /// The lifetime of the app for responses about which the server says nothing.
        case fallback
        /// `no-cache` without names of fields (§5.2.2.4).
        case noCache
        /// The cache must not store the response: `no-store`, `private` in a shared cache, or a status like 206 (§3).
        case noStore
        /// `Vary: *` or a `Vary` that cannot be read (§4.1).
        case varyAny
        /// A redirect that led to the response.
        case redirect
    }

    /// The status code of the response.
    package var status: Int16
    package var reason: Reason

    /// The time during which the response is fresh, from age 0 on (§4.2.1).
    package var lifetime: UInt32

    /// The age of the response when it arrived: `corrected_initial_age` (§4.2.3).
    package var initialAge: Double

    /// The time after ``lifetime`` during which stale data may be used while it is revalidated (RFC 5861 §3).
    package var staleWhileRevalidate: UInt32 = 0

    /// The time after ``lifetime`` during which stale data may be used after an error (RFC 5861 §4). Only meaningful
    /// if ``statesStaleIfError`` is true.
    package var staleIfError: UInt32 = 0

    /// True if the response has a `stale-if-error` directive.
    package var statesStaleIfError = false

    /// True if the response must not be used when stale (§4.2.4): `must-revalidate`, `no-cache`, `no-store`, `Vary: *`,
    /// and in a shared cache `proxy-revalidate` and `s-maxage`.
    package var forbidsStale = false

    /// True if the server promises that the content does not change while it is fresh (RFC 8246).
    package var isImmutable = false

    /// True if the response permits that the cache stores it (§3). `CachePolicy.mayStore` also considers the request.
    package var isStorable = false

    /// True if the response has an `ETag` or a valid `Last-Modified`, so that it can be revalidated (§4.3.1).
    package var hasValidator = false

    /// True if the server states the lifetime.
    package var isExplicit: Bool {
        switch reason {
        case .maxAge, .sharedMaxAge, .expires, .noCache, .noStore, .varyAny: true
        case .heuristic, .fallback, .redirect, .none: false
        }
    }

    package init(status: Int16, reason: Reason = .none, lifetime: UInt32 = 0, initialAge: Double = 0) {
        self.status = status
        self.reason = reason
        self.lifetime = lifetime
        self.initialAge = initialAge
    }

    /// The time for which the response is still fresh when it arrives, at least 0.
    package var initialFreshness: Double { max(0, Double(lifetime) - initialAge) }

    /// True if an error response with this lifetime holds back further requests, and is stored for this purpose. The lifetime
    /// of the app for responses about which the server says nothing does not count.
    package var holdsLoadsBack: Bool { isStorable && initialFreshness > 0 && (isExplicit || reason == .heuristic) }

    /// Returns the age by the wall clock, for times before a restart. If the clock was set back to a time before the
    /// response arrived, the age is unknown and thus infinite.
    package func age(arrivedAt responseTime: Double, now: Double) -> Double {
        now >= responseTime ? initialAge + (now - responseTime) : .infinity
    }
}
