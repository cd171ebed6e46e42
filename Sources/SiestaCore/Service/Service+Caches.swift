extension Service {
    /// The storages that the caches of this service's resources share, each once. Reading this property runs
    /// configuration closures.
    package final var sharedStorages: [any SharedStorage] {
        var seen: Set<ObjectIdentifier> = []
        return context.storages.compactMap(\.storage).filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// Reads the data of many resources from the caches in one batch, and waits for the result.
    ///
    /// Use this method at the start of an app, to read the data for the first screen. Resources that already have data,
    /// or whose caches have already been read, do not change. This method loads nothing from the network.
    ///
    /// - Parameter resources: The resources to read. If the app itself does not reference them, pass at most
    ///   ``cachedResourceCountLimit`` resources, because the service may drop unused resources above this limit.
    /// - Returns: The number of `resources` that have data afterwards.
    @discardableResult
    public final func warm(_ resources: [any ResourceConvertible]) async -> Int {
        let resources = resources.map(\.resource)
        let storages = sharedStorages
        for storage in storages { storage.holdReads() }
        for resource in resources { resource.beginReadingCache() }
        for storage in storages { storage.releaseReads() }
        for resource in resources { await resource.cacheIsRead() }
        return resources.count { $0.hasShownData }
    }

    /// Reads the data of the resources at absolute URLs from the caches in one batch; see ``warm(_:)``.
    @discardableResult
    public final func warm(urls: [any URLConvertible]) async -> Int {
        await warm(urls.map { resource(absoluteURL: $0) })
    }
}
