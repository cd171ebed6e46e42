public import Foundation

/// A cache that keeps its entities as files in a folder.
///
///     service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: folder)) }
///
/// The cache creates the folder with the first write. If the folder cannot be used, the cache finds and stores nothing,
/// and logs the reason.
public typealias FileEntityCache = StoredEntityCache<FileEntityStore>

extension StoredEntityCache where Store == FileEntityStore {
    /// Creates a cache for `Data` in a folder; see ``of(_:)`` for other content.
    ///
    /// As long as a cache for the same folder and encryption key exists in this process, new ones share its storage, and
    /// its options apply to all of them.
    public init(at folder: URL, options: EntityCacheOptions = EntityCacheOptions()) {
        let folder = folder.absoluteURL.standardized  // changes only the text: the file system is not accessed
        self.init(
            .shared(at: "file:\(folder.path)", options: options) {
                FileEntityStore(
                    folder: folder, limits: options.storeLimits, durability: options.durability,
                    isReadOnly: options.isReadOnly)
            }, coding: .data)
    }
}

extension EntityCache where Self == FileEntityCache {
    /// Returns a cache for `Data` in a folder; see ``StoredEntityCache/init(at:options:)``.
    public static func file(
        at folder: URL, options: EntityCacheOptions = EntityCacheOptions()
    ) -> FileEntityCache {
        FileEntityCache(at: folder, options: options)
    }

    /// Returns a cache for content of a `Codable` type in a folder; see ``StoredEntityCache/init(at:options:)``.
    public static func file<Content: Codable & Sendable>(
        at folder: URL, of type: Content.Type, options: EntityCacheOptions = EntityCacheOptions()
    ) -> FileEntityCache {
        FileEntityCache(at: folder, options: options).of(type)
    }
}
