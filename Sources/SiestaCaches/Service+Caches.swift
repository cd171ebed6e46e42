public import SiestaCore

extension Service {
    /// The storages in which the caches of this service's resources keep their entities, each once. If resources have
    /// used the storages of a configuration that was later invalidated, these storages are included.
    ///
    /// A storage reports its size and its statistics, and can be flushed, compacted and cleared. Reading this property
    /// runs configuration closures to find the storages. The storages of custom caches (`EntityCache`) are not listed.
    @MainActor public var caches: [CacheStorage] { sharedStorages.compactMap { $0 as? CacheStorage } }
}
