public import Foundation

/// A cache in files, of a folder of its own.
///
///     service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: folder)) }
///
/// The folder is made when something is written. If it cannot be used, nothing is found and nothing is kept, and the
/// log says so.
public typealias FileEntityCache = StoredEntityCache<FileEntityStore>

extension StoredEntityCache where Store == FileEntityStore {
    /// Creates a cache for `Data` in a folder; see ``of(_:)`` for other content.
    ///
    /// As long as there is one for the same folder in this process they share their storage, and the options of the
    /// first count.
    public init(at folder: URL, options: EntityCacheOptions = EntityCacheOptions()) {
        let folder = folder.absoluteURL.standardized  // pure: the file system is left alone here
        self.init(
            .shared(at: "file:\(folder.path)", options: options) {
                FileEntityStore(
                    folder: folder, limits: options.storeLimits, durability: options.durability,
                    isReadOnly: options.isReadOnly)
            }, coding: .data)
    }
}

extension EntityCache where Self == FileEntityCache {
    /// A cache for `Data` in a folder; see ``StoredEntityCache/init(at:options:)``.
    public static func file(
        at folder: URL, options: EntityCacheOptions = EntityCacheOptions()
    ) -> FileEntityCache {
        FileEntityCache(at: folder, options: options)
    }

    /// A cache for content of a `Codable` type in a folder; see ``StoredEntityCache/init(at:options:)``.
    public static func file<Content: Codable & Sendable>(
        at folder: URL, of type: Content.Type, options: EntityCacheOptions = EntityCacheOptions()
    ) -> FileEntityCache {
        FileEntityCache(at: folder, options: options).of(type)
    }
}
