extension PipelineStage {
    /// Keeps what this stage makes of successful responses in `cache`, and looks there for resources that have no data
    /// yet.
    public mutating func cacheUsing<T: EntityCache>(_ cache: T) {
        self.cache = cache as? any StageCache ?? EntityCacheAdapter(cache)
    }

    /// Removes the cache of this stage.
    public mutating func doNotCache() {
        cache = nil
    }
}

extension Pipeline {
    /// The caches of all stages: of those that run, in order, and then of the others.
    var caches: [any StageCache] { (order + keysOutOfOrder).compactMap { self[$0].cache } }
}
