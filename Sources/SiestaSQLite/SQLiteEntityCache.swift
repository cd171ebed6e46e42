#if SQLite
public import Foundation
public import Siesta

/// A cache in a SQLite database of its own.
///
///     service.configure { $0.pipeline[.rawData].cacheUsing(.sqlite(at: file)) }
///
/// The file is made when something is written. If it cannot be used, nothing is found and nothing is kept, and the log
/// says so.
public typealias SQLiteEntityCache = StoredEntityCache<SQLiteEntityStore>

extension StoredEntityCache where Store == SQLiteEntityStore {
    /// Creates a cache for `Data` in a database; see ``Siesta/StoredEntityCache/of(_:)`` for other content.
    ///
    /// As long as there is one for the same file in this process they share their storage, and the options of the first
    /// count.
    public init(at file: URL, options: EntityCacheOptions = EntityCacheOptions()) {
        let file = file.absoluteURL.standardized  // pure: the file system is left alone here
        self.init(
            .shared(at: "sqlite:\(file.path)", options: options) {
                SQLiteEntityStore(
                    at: file, limits: options.storeLimits, durability: options.durability,
                    isReadOnly: options.isReadOnly)
            }, coding: .data)
    }
}

extension EntityCache where Self == SQLiteEntityCache {
    /// A cache for `Data` in a SQLite database; see ``Siesta/StoredEntityCache/init(at:options:)``.
    public static func sqlite(
        at file: URL, options: EntityCacheOptions = EntityCacheOptions()
    ) -> SQLiteEntityCache {
        SQLiteEntityCache(at: file, options: options)
    }

    /// A cache for content of a `Codable` type in a SQLite database; see
    /// ``Siesta/StoredEntityCache/init(at:options:)``.
    public static func sqlite<Content: Codable & Sendable>(
        at file: URL, of type: Content.Type, options: EntityCacheOptions = EntityCacheOptions()
    ) -> SQLiteEntityCache {
        SQLiteEntityCache(at: file, options: options).of(type)
    }
}
#endif
