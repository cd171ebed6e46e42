extension Service {
    /// The places where the caches of this service's resources keep their entities, each once; also those that resources
    /// had by a configuration that was invalidated since.
    ///
    /// They tell how much they hold and how they fare, and can be flushed, compacted and cleared. Configuration
    /// closures run to find them. Caches that are not a ``StoredEntityCache`` do not show here.
    public final var caches: [EntityStorage] {
        var seen: Set<ObjectIdentifier> = []
        return context.storages.compactMap(\.storage).filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// Looks for the data of many resources in the caches at once, and waits until it is there.
    ///
    /// For the start of an app: what it shows first comes from one batched read. Resources that have data, or have been
    /// looked for already, are left as they are. Nothing is loaded from the network.
    ///
    /// - Parameter resources: no more than ``cachedResourceCountLimit``, unless they are in use anyway.
    /// - Returns: how many of them have data now.
    @discardableResult
    public final func warm(_ resources: [Resource]) async -> Int {
        let storages = caches
        for storage in storages { storage.holdReads() }
        for resource in resources { resource.beginReadingCache() }
        for storage in storages { storage.releaseReads() }
        for resource in resources { await resource.cacheIsRead() }
        return resources.count { $0.state.hasData }
    }

    /// Looks for the data of the resources at absolute URLs in the caches at once; see ``warm(_:)``.
    @discardableResult
    public final func warm(urls: [any URLConvertible]) async -> Int {
        await warm(urls.map { resource(absoluteURL: $0) })
    }
}
