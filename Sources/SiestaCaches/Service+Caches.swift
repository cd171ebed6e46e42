public import SiestaCore

extension Service {
    /// The storages in which the caches of this service's resources keep their entities, each once. Includes the
    /// storages of a configuration that was invalidated, if resources have used them.
    ///
    /// A storage reports its size and its statistics, and can be flushed, compacted and cleared. Reading this property
    /// runs configuration closures to find the storages. Caches other than ``PersistentCache`` are not listed.
    @MainActor public var caches: [CacheStorage] { sharedStorages.compactMap { $0 as? CacheStorage } }
}
