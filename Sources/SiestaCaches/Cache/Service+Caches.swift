public import SiestaCore

extension Service {
    /// The storages that the caches of this service's resources use. Each storage is listed once. Storages of an
    /// earlier, invalidated configuration are included if resources have used them.
    ///
    /// A storage reports its size and its statistics, and can be flushed, compacted and cleared. Reading this property
    /// runs configuration closures to find the storages. Custom caches (`EntityCache`) are not listed.
    @MainActor public var caches: [CacheStorage] { sharedStorages.compactMap { $0 as? CacheStorage } }
}
