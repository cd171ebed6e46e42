public import Foundation

extension PersistentCache {
    /// Returns a cache for `Data` that keeps its entities as files in a folder; see ``of(_:)`` for other content.
    ///
    /// The cache creates the folder with the first write. If the folder cannot be used, the cache finds and stores
    /// nothing, and logs the reason. As long as a cache for the same folder and encryption key exists in this process,
    /// new ones share its storage, and its options apply to all of them.
    public static func file(at folder: URL, options: EntityCacheOptions = EntityCacheOptions()) -> Self {
        let folder = folder.absoluteURL.standardized  // changes only the text: the file system is not accessed
        return shared(at: "file:\(folder.path)", options: options) {
            FileRecordStore(
                folder: folder, limits: options.storeLimits, durability: options.durability,
                isReadOnly: options.isReadOnly)
        }
    }

    /// Returns a cache for content of a `Codable` type in a folder; see ``file(at:options:)``.
    public static func file<Content: Codable & Sendable>(
        at folder: URL, of type: Content.Type, options: EntityCacheOptions = EntityCacheOptions()
    ) -> Self {
        file(at: folder, options: options).of(type)
    }

    /// Returns the cache in memory with that name, for `Data`; see ``of(_:)`` for other content.
    ///
    /// Its entities survive a wipe or the release of their resources, but not the end of the process. They also end
    /// when no cache, configuration or service refers to the name any more. As long as a cache with the same name
    /// exists in this process, its options apply to new ones.
    public static func memory(_ name: String, options: EntityCacheOptions = EntityCacheOptions()) -> Self {
        shared(at: "memory:\(name)", options: options) { MemoryRecordStore(limits: options.storeLimits) }
    }

    /// Returns the cache in memory with that name, for content of a `Codable` type; see ``memory(_:options:)``.
    public static func memory<Content: Codable & Sendable>(
        _ name: String, of type: Content.Type, options: EntityCacheOptions = EntityCacheOptions()
    ) -> Self {
        memory(name, options: options).of(type)
    }

    /// Returns a cache for `Data` in the storage at a place; creates the storage if this process has none there.
    package static func shared(
        at place: String, options: EntityCacheOptions, store: () -> any RecordStore
    ) -> Self {
        Self(CacheStorage.shared(at: place, options: options, store: store))
    }
}
