/// A cache in memory, for entities that should survive a wipe or a dropped resource, but not the process.
public typealias MemoryEntityCache = StoredEntityCache<MemoryEntityStore>

extension StoredEntityCache where Store == MemoryEntityStore {
    /// Creates an empty cache for `Data`; see ``of(_:)`` for other content.
    public init(options: EntityCacheOptions = EntityCacheOptions()) {
        self.init(MemoryEntityStore(limits: options.storeLimits), options: options)
    }
}

extension EntityCache where Self == MemoryEntityCache {
    /// Returns the cache in memory with that name, for `Data`, and creates it if this process has none. The options of
    /// the first call apply.
    public static func memory(
        _ name: String, options: EntityCacheOptions = EntityCacheOptions()
    ) -> MemoryEntityCache {
        let storage = EntityStorage.shared(at: "memory:\(name)", options: options) {
            MemoryEntityStore(limits: options.storeLimits)
        }
        return MemoryEntityCache(storage, coding: .data)
    }

    /// Returns the cache in memory with that name, for content of a `Codable` type; see ``memory(_:options:)``.
    public static func memory<Content: Codable & Sendable>(
        _ name: String, of type: Content.Type, options: EntityCacheOptions = EntityCacheOptions()
    ) -> MemoryEntityCache {
        memory(name, options: options).of(type)
    }
}
