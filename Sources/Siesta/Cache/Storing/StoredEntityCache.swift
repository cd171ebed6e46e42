public import Dispatch
public import Foundation

/// A cache for entities that outlive their resources, with one content coding. Attach it to a pipeline stage.
///
/// Several caches may share one ``EntityStorage``: one for each stage and type, each of which sees only its own
/// entities. A cache is a value, and cheap to copy. Use ``FileEntityCache`` or ``MemoryEntityCache``, or a cache with
/// your own store.
///
///     service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: folder)) }
///     service.configure("/users/*") { $0.pipeline[.model].cacheUsing(.file(at: folder, of: User.self)) }
///
/// As the cache of a stage it never blocks: reads and writes of all resources go to the storage in batches. Your own
/// code may also call the functions of ``EntityCache``, on ``workQueue``.
public struct StoredEntityCache<Store: EntityStore>: EntityCache {
    /// The storage that the cache shares with those of other stages. It offers statistics, `flush()`, `clear()` and
    /// more.
    public let storage: EntityStorage
    let coding: ContentCoding
    let principal: (@MainActor () -> String?)?
    /// The queue for your own calls of this cache.
    public var workQueue: DispatchQueue { storage.workQueue }

    package init(
        _ storage: EntityStorage, coding: ContentCoding, principal: (@MainActor () -> String?)? = nil
    ) {
        self.storage = storage
        self.coding = coding
        self.principal = principal
    }

    /// Creates a cache with a storage of its own.
    public init(_ store: Store, coding: ContentCoding = .data, options: EntityCacheOptions = EntityCacheOptions()) {
        self.init(EntityStorage(store, options: options), coding: coding)
    }

    /// Returns a cache in the same storage, for content with another coding.
    public func coding(_ coding: ContentCoding) -> Self {
        Self(storage, coding: coding, principal: principal)
    }

    /// Returns a cache in the same storage, for content of a `Codable` type.
    public func of<Content: Codable & Sendable>(_ type: Content.Type) -> Self {
        coding(.codable(type))
    }

    /// Returns a cache in the same storage that separates the entities of each principal.
    ///
    /// `principal` returns, for example, a user's identifier. The cache calls it on the main actor whenever it looks
    /// for a resource or a request is made. As long as it returns nil, the cache reads and writes nothing. The
    /// principal is part of an entity's key, so a new value immediately selects other entities. A response is not
    /// stored if the principal changes between request and response, and an entity read for one principal is not shown
    /// to another. The data that resources have in memory stays: wipe the resources when the principal changes.
    public func partitioned(by principal: @escaping @MainActor () -> String?) -> Self {
        Self(storage, coding: coding, principal: principal)
    }
}

extension StoredEntityCache {
    /// The current principal: empty if the cache is not partitioned, nil if it is partitioned and there is no
    /// principal.
    @MainActor var currentPrincipal: String? {
        guard let principal else { return "" }
        return principal()
    }

    /// Returns a key of the resource's URL and the current principal; nil if the cache is partitioned and there is no
    /// principal.
    @MainActor public func key(for resource: Resource) -> StoredEntityKey? {
        key(for: resource) { SelectingHeaders.ofRequest(of: resource) ?? resource.headersOfLoad }
    }

    @MainActor func key(
        for resource: Resource, requestHeaders: @MainActor () -> [String: String]
    ) -> StoredEntityKey? {
        guard let principal = currentPrincipal else { return nil }
        return StoredEntityKey(
            principal: principal, address: resource.address, coding: coding, requestHeaders: requestHeaders())
    }

    /// Returns the entity as it was last written, even if the store does not have it yet.
    ///
    /// May be called on any thread, including those of tasks. If the store must be asked, the calling thread waits for
    /// its disk, but never for a task; see ``EntityStore/readSynchronously(_:)``.
    public func readEntity(forKey key: StoredEntityKey) -> Entity<Any>? { storage.entity(forKey: key) }

    /// Schedules an entity to be written, and returns at once. Reads find it from now on.
    public func writeEntity(_ entity: Entity<Any>, forKey key: StoredEntityKey) {
        storage.write(entity, forKey: key)
    }

    /// Schedules a new timestamp for the stored entity, and returns at once. Reads find it from now on.
    public func updateEntityTimestamp(_ timestamp: TimeInterval, forKey key: StoredEntityKey) {
        storage.updateTimestamp(timestamp, forKey: key)
    }

    /// Schedules the removal of the stored entity, and returns at once. Reads do not find it from now on.
    public func removeEntity(forKey key: StoredEntityKey) {
        storage.remove(key)
    }
}
