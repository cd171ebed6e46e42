public import Foundation
public import SiestaCore

/// A cache that keeps entities, for example on disk, after their resources have been released. Attach the cache to a
/// pipeline stage with `PipelineStage.cacheUsing(_:)`.
///
/// Each cache is for one type of content. Several caches may share one ``CacheStorage``, but each cache finds only
/// entities whose content has the cache's type. A cache is a value, and cheap to copy.
///
///     service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: folder)) }
///     service.configure("/users/*") { $0.pipeline[.model].cacheUsing(.file(at: folder, of: User.self)) }
///
/// The cache never blocks the calling thread. It passes the reads and writes of all resources to the storage in
/// batches.
public struct PersistentCache: Sendable {
    /// The storage of the cache, which other caches may share. The storage provides statistics, and functions such as
    /// `flush()` and `clear()`.
    public let storage: CacheStorage
    let coding: ContentCodec
    package let principal: (@MainActor () -> String?)?

    package init(
        _ storage: CacheStorage, coding: ContentCodec = .data, principal: (@MainActor () -> String?)? = nil
    ) {
        self.storage = storage
        self.coding = coding
        self.principal = principal
    }

    /// Creates a cache with its own storage.
    public init(
        _ store: any RecordStore, coding: ContentCodec = .data, options: EntityCacheOptions = EntityCacheOptions()
    ) {
        self.init(CacheStorage(store, options: options), coding: coding)
    }

    /// Returns a cache in the same storage, for content with another coding.
    public func coding(_ coding: ContentCodec) -> Self {
        Self(storage, coding: coding, principal: principal)
    }

    /// Returns a cache in the same storage, for content of a `Codable` type.
    public func of<Content: Codable & Sendable>(_ type: Content.Type) -> Self {
        coding(.codable(type))
    }

    /// Returns a cache in the same storage that keeps the entities of different principals apart.
    ///
    /// The closure `principal` returns, for example, a user's identifier. The cache calls the closure on the main actor
    /// each time a resource reads the cache or makes a request. As long as the closure returns nil, the cache reads and
    /// writes nothing. The principal is part of an entity's key. When the principal changes, the cache therefore
    /// immediately finds only the entities of the new principal.
    ///
    /// A response is not stored if the principal changes between request and response. An entity that was read for one
    /// principal is not shown to another. However, resources keep their data in memory, so wipe the resources when the
    /// principal changes.
    public func partitioned(by principal: @escaping @MainActor () -> String?) -> Self {
        Self(storage, coding: coding, principal: principal)
    }
}

extension PersistentCache {
    /// Returns the entity of `resource` that was last written for the current principal. Returns nil if there is no
    /// such entity, or if the response that was written last is an error.
    ///
    /// If the response has a `Vary` header, the function finds the entity only if a load of the resource would send the
    /// same values of the headers that `Vary` names. If the principal or these values change during the read, it returns nil.
    @MainActor public func entity(for resource: Resource) async -> Entity<Any>? {
        guard let key = key(for: resource) else { return nil }
        guard let entity = await storage.entity(forKey: key), !(entity.content is ErrorBody) else { return nil }
        // Another user may have signed in during the read.
        guard let present = self.key(for: resource), present.owner == key.owner,
            present.selects(entity, storedUnder: key)
        else { return nil }
        return entity
    }

    /// Schedules the entity to be written for `resource` and the current principal, and returns at once. Later reads
    /// find the entity.
    @MainActor public func write(_ entity: Entity<Any>, for resource: Resource) {
        key(for: resource).map { storage.write(entity, forKey: $0) }
    }

    /// Schedules the stored entity of `resource` to receive a new timestamp, in seconds since the reference date, and
    /// returns at once. Later reads find the new timestamp.
    @MainActor public func updateTimestamp(_ timestamp: TimeInterval, for resource: Resource) {
        key(for: resource).map { storage.updateTimestamp(timestamp, forKey: $0) }
    }

    /// Schedules the removal of the stored entity of `resource`, and returns at once. Later reads do not find the
    /// entity.
    @MainActor public func remove(for resource: Resource) {
        key(for: resource).map { storage.remove($0) }
    }
}
