extension CachePolicy {
    /// Returns the result of all rules for a response that has arrived.
    ///
    /// Both times are wall-clock seconds since the reference date. `fallback` is the lifetime in seconds for responses
    /// about which the server says nothing and heuristics do not apply; nil is none. Because it is a heuristic too, it
    /// counts only where §4.2.2 permits one.
    package func lifetime(
        of response: some CacheFields, status: Int, requestTime: Double, responseTime: Double, fallback: Double?
    ) -> ResponseLifetime {
        let control = CacheControl(response["cache-control"])
        let expires = response["expires"]
        let date = CacheDate.seconds(response["date"], now: responseTime)
        let modified = CacheDate.seconds(response["last-modified"], now: responseTime)
        var result = ResponseLifetime(status: Int16(clamping: status))
        result.initialAge = initialAge(
            AgeField.seconds(response["age"]), date: date, requestTime: requestTime, responseTime: responseTime)
        result.hasValidator = response["etag"]?.isEmpty == false || modified != nil
        result.isStorable = isStorable(control, status: status, hasExpires: expires != nil)
        result.forbidsStale = forbidsStale(control)
        if let reason = prohibition(by: response, control, status: status) {
            result.reason = reason
            result.forbidsStale = true
        }
        guard result.reason == .none, result.isStorable else { return result }
        result.staleWhileRevalidate = control.staleWhileRevalidate ?? 0
        result.staleIfError = control.staleIfError ?? 0
        result.statesStaleIfError = control.staleIfError != nil
        result.isImmutable = control.immutable
        let now = date ?? responseTime
        (result.lifetime, result.reason) =
            explicitLifetime(control, expires: expires, date: now, responseTime: responseTime)
            ?? heuristicLifetime(control, status: status, date: now, modified: modified, fallback: fallback)
        return result
    }

    /// Returns the reason why the response must not be used without validation, whatever its lifetime is.
    private func prohibition(
        by response: some CacheFields, _ control: CacheControl, status: Int
    ) -> ResponseLifetime.Reason? {
        if forbidsStoring(control, status: status) { return .noStore }
        if control.noCache { return .noCache }
        return VaryField(response["vary"]).isAny ? .varyAny : nil
    }

    /// The first of `s-maxage` (shared caches only), `max-age` and `Expires` (§4.2.1). An `Expires` that does not parse
    /// is in the past (§5.3).
    private func explicitLifetime(
        _ control: CacheControl, expires: String?, date: Double, responseTime: Double
    ) -> (UInt32, ResponseLifetime.Reason)? {
        if kind == .shared, let seconds = control.sharedMaxAge { return (seconds, .sharedMaxAge) }
        if let seconds = control.maxAge { return (seconds, .maxAge) }
        guard let expires else { return nil }
        let end = CacheDate.seconds(expires, now: responseTime)
        return (UInt32(delta: end.map { $0 - date } ?? 0), .expires)
    }

    /// §4.2.2.
    private func heuristicLifetime(
        _ control: CacheControl, status: Int, date: Double, modified: Double?, fallback: Double?
    ) -> (UInt32, ResponseLifetime.Reason) {
        guard CacheStatus.isHeuristicallyCacheable(status) || control.isPublic else { return (0, .none) }
        if let modified {
            return (UInt32(delta: min((date - modified) * heuristicFraction, heuristicLimit)), .heuristic)
        }
        return fallback.map { (UInt32(delta: $0), .fallback) } ?? (0, .none)
    }

    /// §4.2.3. The time of the response is rounded down before it is compared with `Date`, which has no fractions of
    /// seconds. Times that run backwards count as 0.
    private func initialAge(_ age: UInt32?, date: Double?, requestTime: Double, responseTime: Double) -> Double {
        let apparentAge = date.map { max(0, responseTime.rounded(.down) - $0) } ?? 0
        let delay = max(0, responseTime - requestTime)
        return max(apparentAge, Double(age ?? 0) + delay)
    }

    /// §4.2.4, §5.2.2.2, §5.2.2.8, §5.2.2.10.
    private func forbidsStale(_ control: CacheControl) -> Bool {
        control.mustRevalidate
            || kind == .shared && (control.proxyRevalidate || control.sharedMaxAge != nil)
    }
}
