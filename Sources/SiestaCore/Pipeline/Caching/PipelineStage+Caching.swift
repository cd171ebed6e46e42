extension PipelineStage {
    /// Attaches `cache` to this stage. The cache stores the stage's output for successful responses, and is read for
    /// resources that have no data.
    public mutating func cacheUsing<T: EntityCache>(_ cache: T) {
        self.cache = EntityCacheAdapter(cache)
    }

    /// Removes the cache of this stage.
    public mutating func doNotCache() {
        cache = nil
    }
}

extension Pipeline {
    /// The caches of all stages: first the caches of stages that run, in order, then the others.
    var caches: [any StageCache] { (order + keysOutOfOrder).compactMap { self[$0].cache } }
}
