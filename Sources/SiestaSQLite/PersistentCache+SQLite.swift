#if SQLite
public import Foundation
public import SiestaCaches

extension PersistentCache {
    /// Returns a cache for `Data` that keeps its entities in a SQLite database; see
    /// ``SiestaStorage/PersistentCache/of(_:)`` for other content.
    ///
    ///     service.configure { $0.pipeline[.rawData].cacheUsing(.sqlite(at: file)) }
    ///
    /// The cache creates the file at the first write. If the file cannot be used, the cache finds and stores nothing,
    /// and logs the reason. If a cache for the same file and encryption key already exists in this process, the new
    /// cache shares its storage and uses its options.
    public static func sqlite(at file: URL, options: EntityCacheOptions = EntityCacheOptions()) -> Self {
        shared(
            "sqlite", at: file, options: options,
            store: SQLiteRecordStore.init(at:limits:durability:isReadOnly:))
    }

    /// Returns a cache for content of a `Codable` type in a SQLite database; see ``sqlite(at:options:)``.
    public static func sqlite<Content: Codable & Sendable>(
        at file: URL, of type: Content.Type, options: EntityCacheOptions = EntityCacheOptions()
    ) -> Self {
        sqlite(at: file, options: options).of(type)
    }
}
#else
public import Foundation
public import SiestaCaches

extension PersistentCache {
    /// A cache in a SQLite database, which needs the package trait `SQLite`.
    @available(
        *, unavailable,
        message: """
            SiestaSQLite needs the trait SQLite: add traits: ["SQLite"] to the dependency on this package. On Debian, the \
            headers are in the package libsqlite3-dev.
            """
    )
    public static func sqlite(at file: URL, options: EntityCacheOptions = EntityCacheOptions()) -> Self {
        fatalError()
    }
}
#endif
