#if SQLite
public import Foundation
public import Siesta

/// A cache that keeps its entities in a SQLite database.
///
///     service.configure { $0.pipeline[.rawData].cacheUsing(.sqlite(at: file)) }
///
/// The cache creates the file with the first write. If the file cannot be used, the cache finds and stores nothing, and
/// logs the reason.
public typealias SQLiteEntityCache = StoredEntityCache<SQLiteEntityStore>

extension StoredEntityCache where Store == SQLiteEntityStore {
    /// Creates a cache for `Data` in a database; see ``Siesta/StoredEntityCache/of(_:)`` for other content.
    ///
    /// As long as a cache for the same file and encryption key exists in this process, new ones share its storage, and
    /// its options apply to all of them.
    public init(at file: URL, options: EntityCacheOptions = EntityCacheOptions()) {
        let file = file.absoluteURL.standardized  // changes only the text: the file system is not accessed
        self.init(
            .shared(at: "sqlite:\(file.path)", options: options) {
                SQLiteEntityStore(
                    at: file, limits: options.storeLimits, durability: options.durability,
                    isReadOnly: options.isReadOnly)
            }, coding: .data)
    }
}

extension EntityCache where Self == SQLiteEntityCache {
    /// Returns a cache for `Data` in a SQLite database; see ``Siesta/StoredEntityCache/init(at:options:)``.
    public static func sqlite(
        at file: URL, options: EntityCacheOptions = EntityCacheOptions()
    ) -> SQLiteEntityCache {
        SQLiteEntityCache(at: file, options: options)
    }

    /// Returns a cache for content of a `Codable` type in a SQLite database; see
    /// ``Siesta/StoredEntityCache/init(at:options:)``.
    public static func sqlite<Content: Codable & Sendable>(
        at file: URL, of type: Content.Type, options: EntityCacheOptions = EntityCacheOptions()
    ) -> SQLiteEntityCache {
        SQLiteEntityCache(at: file, options: options).of(type)
    }
}
#endif
