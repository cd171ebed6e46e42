extension CachePolicy {
    /// An error that prevents the server from confirming a stored response.
    package enum Failure: Sendable, Equatable {
        /// The server responded with this status.
        case status(Int)
        /// No response arrived.
        case unreachable
    }

    /// Returns what to do for a request (§4). `age` is the present age of the stored response in seconds.
    ///
    /// While a response is fresh and immutable, the `max-age` of a request does not cause a request (RFC 8246 §2);
    /// `no-cache` does.
    package func verdict(_ stored: ResponseLifetime, age: Double, request: RequestDirectives) -> CacheVerdict {
        if !request.noCache {
            if isFresh(stored, age: age, request) { return .fresh }
            if let reason = staleReason(stored, age: age, request) { return .stale(reason) }
        }
        if request.onlyIfCached { return .gatewayTimeout }
        return stored.hasValidator ? .revalidate : .fetch
    }

    /// Returns what to do when the server could not confirm a stored response: `fresh` or `stale`. Returns nil if the
    /// stored response must not be used.
    ///
    /// A failure is a status 500, 502, 503 or 504, or no response (RFC 5861 §4). Without a permission, stale data is
    /// only used if no response arrived (§4.2.4). If `stale-if-error` states a time, that time limits both cases.
    package func verdict(
        _ stored: ResponseLifetime, age: Double, request: RequestDirectives, after failure: Failure
    ) -> CacheVerdict? {
        if case .status(let status) = failure, !CacheStatus.isServerFailure(status) { return nil }
        guard !request.noCache else { return nil }
        if isFresh(stored, age: age, request) { return .fresh }
        guard !stored.forbidsStale else { return nil }
        if let reason = staleReason(stored, age: age, request) { return .stale(reason) }
        let staleness = age - Double(stored.lifetime)
        if let limit = errorLimit(stored, request) {
            return staleness <= Double(limit) && acceptsAge(age, request) ? .stale(.staleIfError) : nil
        }
        return failure == .unreachable && acceptsStale(request) ? .stale(.unreachable) : nil
    }

    private func isFresh(_ stored: ResponseLifetime, age: Double, _ request: RequestDirectives) -> Bool {
        let lifetime = Double(stored.lifetime)
        guard lifetime > age else { return false }
        if let minimum = request.minFresh, lifetime - age < Double(minimum) { return false }
        return stored.isImmutable || acceptsAge(age, request)
    }

    /// The reason why a stale response may be used before the server is asked.
    private func staleReason(
        _ stored: ResponseLifetime, age: Double, _ request: RequestDirectives
    ) -> CacheVerdict.StaleReason? {
        let staleness = age - Double(stored.lifetime)
        guard !stored.forbidsStale, staleness >= 0, request.minFresh == nil else { return nil }
        if staleness <= Double(stored.staleWhileRevalidate), stored.staleWhileRevalidate > 0, request.maxAge == nil {
            return .staleWhileRevalidate
        }
        guard let limit = request.maxStale, acceptsAge(age, request) else { return nil }
        return limit == .maximumDelta || staleness <= Double(limit) ? .maxStale : nil
    }

    /// Returns true if the request does not limit the age to less (§5.2.1.1).
    private func acceptsAge(_ age: Double, _ request: RequestDirectives) -> Bool {
        request.maxAge.map { age <= Double($0) } ?? true
    }

    /// Returns true if the request does not ask for a fresh response (§5.2.1.1, §5.2.1.3).
    private func acceptsStale(_ request: RequestDirectives) -> Bool {
        request.maxAge == nil && request.minFresh == nil
    }

    /// The longer of both times, because each of them permits on its own (RFC 5861 §4).
    private func errorLimit(_ stored: ResponseLifetime, _ request: RequestDirectives) -> UInt32? {
        let stated = stored.statesStaleIfError ? stored.staleIfError : nil
        guard let stated, let asked = request.staleIfError else { return stated ?? request.staleIfError }
        return max(stated, asked)
    }
}
