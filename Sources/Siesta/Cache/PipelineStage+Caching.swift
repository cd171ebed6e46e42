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
    /// The caches of the stages that run, in order.
    var caches: [any StageCache] { order.compactMap { self[$0].cache } }
}
