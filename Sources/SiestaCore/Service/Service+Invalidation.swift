extension Service {
    /// Makes the resources with a tag stale; see ``Configuration/tags``.
    ///
    /// Resources that are observed are loaded. Other resources become stale: their next ``Resource/loadIfNeeded()``
    /// loads them. No data is removed. The responses to loads that have already begun do not make these resources fresh:
    /// if such a load is in flight, another load begins. All invalidations in one turn of the main queue cause one load
    /// of each resource. While such a load is in flight, later invalidations cause one further load, after its end.
    ///
    /// Entities in persistent caches are also affected. If a resource later gets data from a cache, and the data is
    /// older than the invalidation, the data is stale. The invalidation applies until the service is released. After
    /// the next start of the app, only the age of cached data counts.
    public final func invalidate(tagged tag: String) {
        invalidate(tagged: [tag])
    }

    /// Makes the resources with at least one of these tags stale; see ``invalidate(tagged:)-(String)``.
    public final func invalidate(tagged tags: Set<String>) {
        MainQueue.check("Service.invalidate(tagged:)")
        context.feature(Dependencies.self).invalidate(InvalidationTarget(tags: tags))
    }

    /// Makes the resources that match a pattern stale; see ``invalidate(tagged:)-(String)``.
    ///
    /// - Parameter pattern: A wildcard such as `/users/**`, an `NSRegularExpression`, or a resource; see
    ///   ``configure(_:requestMethods:description:configurer:)``.
    public final func invalidate(matching pattern: any ConfigurationPatternConvertible) {
        MainQueue.check("Service.invalidate(matching:)")
        context.feature(Dependencies.self).invalidate(
            InvalidationTarget(matches: pattern.configurationPattern(for: self)))
    }
}
