extension CachePolicy {
    /// Returns true if the cache may store the response (§3). `response` contains the fields of the response.
    ///
    /// - The method is `GET` or `HEAD`. A response to `POST` needs an explicit lifetime and a `Content-Location`, which
    ///   the caller compares with the URL of the request (RFC 9110 §9.3.3).
    /// - The status is final. Partial content (206) and a 304 are not stored.
    /// - A response with `Vary: *` may be stored, but it can only be revalidated (§4.1).
    package func mayStore(
        method: String, status: Int, request: RequestDirectives, hasAuthorization: Bool, response: some CacheFields
    ) -> Bool {
        let control = CacheControl(response["cache-control"])
        let hasExpires = response["expires"] != nil
        guard !request.noStore, isStorable(control, status: status, hasExpires: hasExpires) else { return false }
        if kind == .shared, hasAuthorization, !allowsAuthorization(control) { return false }
        switch method {
        case "GET", "HEAD": return true
        case "POST":
            return response["content-location"] != nil && statesLifetime(control, hasExpires: hasExpires)
        default: return false
        }
    }

    /// Returns true if the response itself permits storing (§3), whatever the request is.
    func isStorable(_ control: CacheControl, status: Int, hasExpires: Bool) -> Bool {
        guard !forbidsStoring(control, status: status) else { return false }
        return control.isPublic || kind == .private && control.statesPrivate
            || statesLifetime(control, hasExpires: hasExpires) || CacheStatus.isHeuristicallyCacheable(status)
    }

    /// Returns true if the status or a directive forbids storing. A cache that understands the status ignores
    /// `no-store` next to `must-understand` (§5.2.2.3).
    func forbidsStoring(_ control: CacheControl, status: Int) -> Bool {
        if CacheStatus.forbidsStoring(status) { return true }
        if kind == .shared, control.isPrivate { return true }
        if control.mustUnderstand { return !CacheStatus.isUnderstood(status) }
        return control.noStore
    }

    /// §3.5.
    private func allowsAuthorization(_ control: CacheControl) -> Bool {
        control.mustRevalidate || control.isPublic || control.sharedMaxAge != nil
    }

    /// Returns true if the response has a lifetime that is no heuristic (§4.2.1).
    private func statesLifetime(_ control: CacheControl, hasExpires: Bool) -> Bool {
        hasExpires || control.maxAge != nil || kind == .shared && control.sharedMaxAge != nil
    }
}

extension CacheControl {
    /// True if there is a `private` directive of either form (§5.2.2.7).
    fileprivate var statesPrivate: Bool { isPrivate || !privateFields.isEmpty }
}
