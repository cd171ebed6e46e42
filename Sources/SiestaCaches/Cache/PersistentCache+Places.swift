public import Foundation

extension PersistentCache {
    /// Returns a cache for `Data` that keeps its entities as files in a folder. For other content, see ``of(_:)``.
    ///
    /// The cache creates the folder at the first write. If the folder cannot be used, the cache finds and stores
    /// nothing, and logs the reason. As long as a cache for the same folder and encryption key exists in this process,
    /// new caches share its storage and use its options.
    public static func file(at folder: URL, options: EntityCacheOptions = EntityCacheOptions()) -> Self {
        shared(
            "file", at: folder, options: options,
            store: FileRecordStore.init(folder:limits:durability:isReadOnly:))
    }

    /// Returns a cache for content of a `Codable` type in a folder; see ``file(at:options:)``.
    public static func file<Content: Codable & Sendable>(
        at folder: URL, of type: Content.Type, options: EntityCacheOptions = EntityCacheOptions()
    ) -> Self {
        file(at: folder, options: options).of(type)
    }

    /// Returns the in-memory cache with the given name, for `Data`. For other content, see ``of(_:)``.
    ///
    /// The entities are kept when their resources are released, and when the resources are wiped without their caches.
    /// The entities are lost when the process ends, or when no cache, configuration or service references their storage
    /// any longer. As long as a cache with the same name exists in this process, new caches use its options.
    public static func memory(_ name: String, options: EntityCacheOptions = EntityCacheOptions()) -> Self {
        Self(
            CacheStorage.shared(at: "memory:\(name)", options: options) {
                MemoryRecordStore(limits: options.storeLimits)
            })
    }

    /// Returns the in-memory cache with the given name, for content of a `Codable` type; see ``memory(_:options:)``.
    public static func memory<Content: Codable & Sendable>(
        _ name: String, of type: Content.Type, options: EntityCacheOptions = EntityCacheOptions()
    ) -> Self {
        memory(name, options: options).of(type)
    }

    /// Returns a cache for `Data` in the storage at a place of the file system. Does not access the file system.
    package static func shared(
        _ kind: String, at place: URL, options: EntityCacheOptions,
        store: (URL, RecordLimits, EntityCacheOptions.Durability, _ isReadOnly: Bool) -> any RecordStore
    ) -> Self {
        let place = place.absoluteURL.standardized  // changes only the text
        return Self(
            CacheStorage.shared(at: "\(kind):\(place.path)", options: options) {
                store(place, options.storeLimits, options.durability, options.isReadOnly)
            })
    }
}
