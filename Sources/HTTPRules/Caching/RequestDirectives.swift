/// The directives of a request for the caches on its way (RFC 9111 §5.2.1, RFC 5861 §4). Times are in seconds.
package struct RequestDirectives: Sendable, Equatable {
    package var noCache = false
    package var noStore = false
    package var onlyIfCached = false
    package var maxAge: UInt32?
    package var maxStale: UInt32?
    package var minFresh: UInt32?
    package var staleIfError: UInt32?

    /// A request without directives.
    package init() {}

    /// Reads `Cache-Control`. `Pragma: no-cache` counts only if there is no `Cache-Control` (§5.4).
    package init(_ fields: some CacheFields) {
        if let value = fields["cache-control"] {
            self.init(CacheControl(value))
        } else {
            self.init()
            noCache = Self.isNoCache(pragma: fields["pragma"])
        }
    }

    package init(_ control: CacheControl) {
        noCache = control.noCache || !control.noCacheFields.isEmpty
        noStore = control.noStore
        onlyIfCached = control.onlyIfCached
        maxAge = control.maxAge
        maxStale = control.maxStale
        minFresh = control.minFresh
        staleIfError = control.staleIfError
    }

    /// Returns the directives of both. If both have a number, the more restrictive one counts.
    package func merging(_ other: RequestDirectives) -> RequestDirectives {
        var merged = self
        merged.noCache = noCache || other.noCache
        merged.noStore = noStore || other.noStore
        merged.onlyIfCached = onlyIfCached || other.onlyIfCached
        merged.maxAge = Self.minimum(maxAge, other.maxAge)
        merged.maxStale = Self.minimum(maxStale, other.maxStale)
        merged.minFresh = minFresh.map { max($0, other.minFresh ?? 0) } ?? other.minFresh
        merged.staleIfError = Self.minimum(staleIfError, other.staleIfError)
        return merged
    }

    private static func minimum(_ left: UInt32?, _ right: UInt32?) -> UInt32? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    private static func isNoCache(pragma: String?) -> Bool {
        pragma.map { CacheControl($0).noCache } ?? false
    }
}
