/// A cache in memory: for what should outlive a wipe, or resources that were dropped, but not the process.
public typealias MemoryEntityCache = StoredEntityCache<MemoryEntityStore>

extension StoredEntityCache where Store == MemoryEntityStore {
    /// Creates an empty cache for `Data`; see ``of(_:)`` for other content.
    public init(options: EntityCacheOptions = EntityCacheOptions()) {
        self.init(MemoryEntityStore(limits: options.storeLimits), options: options)
    }
}

extension EntityCache where Self == MemoryEntityCache {
    /// The cache in memory of that name, for `Data`; made if there is none in this process. The options of the first
    /// count.
    public static func memory(
        _ name: String, options: EntityCacheOptions = EntityCacheOptions()
    ) -> MemoryEntityCache {
        let storage = EntityStorage.shared(at: "memory:\(name)", options: options) {
            MemoryEntityStore(limits: options.storeLimits)
        }
        return MemoryEntityCache(storage, coding: .data)
    }

    /// The cache in memory of that name, for content of a `Codable` type; see ``memory(_:options:)``.
    public static func memory<Content: Codable & Sendable>(
        _ name: String, of type: Content.Type, options: EntityCacheOptions = EntityCacheOptions()
    ) -> MemoryEntityCache {
        memory(name, options: options).of(type)
    }
}
