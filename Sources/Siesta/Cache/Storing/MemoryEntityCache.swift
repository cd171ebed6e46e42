/// A cache in memory: for what should outlive a wipe, or resources that were dropped, but not the process.
public typealias MemoryEntityCache = StoredEntityCache<MemoryEntityStore>

extension StoredEntityCache where Store == MemoryEntityStore {
    /// Creates an empty cache for `Data`; see ``of(_:)`` for other content.
    public init(configure: (inout EntityCacheOptions) -> Void = { _ in }) {
        var options = EntityCacheOptions()
        configure(&options)
        self.init(MemoryEntityStore(limits: options.storeLimits), options: options)
    }
}

extension EntityCache where Self == MemoryEntityCache {
    /// The cache in memory of that name, for `Data`; made if there is none in this process. The options of the first count.
    public static func memory(
        _ name: String, configure: (inout EntityCacheOptions) -> Void = { _ in }
    ) -> MemoryEntityCache {
        let storage = EntityStorage.shared(at: "memory:\(name)", configure) {
            MemoryEntityStore(limits: $0.storeLimits)
        }
        return MemoryEntityCache(storage, coding: .data)
    }

    /// The cache in memory of that name, for content of a `Codable` type; see ``memory(_:configure:)``.
    public static func memory<Content: Codable & Sendable>(
        _ name: String, of type: Content.Type, configure: (inout EntityCacheOptions) -> Void = { _ in }
    ) -> MemoryEntityCache {
        memory(name, configure: configure).of(type)
    }
}
