extension Service {
    /// Makes the resources with the given tag stale; see ``Configuration/tags``.
    ///
    /// If such a resource is observed, it is loaded at once. Otherwise, it is loaded by the next call to
    /// ``Resource/loadIfNeeded()``. No data is removed. A load that began before the invalidation does not make its
    /// resource fresh: if the resource is observed, another load begins. Several invalidations in one turn of the main
    /// queue cause only one load of each resource. While this load is in flight, further invalidations cause one more
    /// load after its end.
    ///
    /// The invalidation also applies to entities in persistent caches. If a resource later gets data from a cache, data
    /// that is older than the invalidation is stale. The service remembers the invalidation until the service is
    /// released. After the next start of the app, only the age of cached data determines whether the data is fresh.
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
