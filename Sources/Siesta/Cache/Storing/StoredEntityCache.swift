public import Dispatch
public import Foundation

/// A cache of entities that outlive their resources, for one form of content: what is attached to a pipeline stage.
///
/// Several of them may share one ``EntityStorage``: one for each stage and type, each of which sees its own entities
/// alone. A value, cheap to copy. Use ``FileEntityCache`` or ``MemoryEntityCache``, or one with a store of your own.
///
///     service.configure { $0.pipeline[.rawData].cacheUsing(.file(at: folder)) }
///     service.configure("/users/*") { $0.pipeline[.model].cacheUsing(.file(at: folder, of: User.self)) }
///
/// As the cache of a stage it never blocks: reads and writes of all resources go to the storage in batches. The
/// functions of ``EntityCache`` are for whoever wants to call them, on ``workQueue``.
public struct StoredEntityCache<Store: EntityStore>: EntityCache {
    /// What the cache shares with those of other stages: sizes, `flush()`, `clear()` and more.
    public let storage: EntityStorage
    let coding: ContentCoding
    let principal: (@MainActor () -> String?)?
    /// The queue for those who call the cache themselves.
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

    /// A cache in the same storage, for another form of content.
    public func coding(_ coding: ContentCoding) -> Self {
        Self(storage, coding: coding, principal: principal)
    }

    /// A cache in the same storage, for content of a `Codable` type.
    public func of<Content: Codable & Sendable>(_ type: Content.Type) -> Self {
        coding(.codable(type))
    }

    /// A cache in the same storage that keeps the entities of each principal by themselves.
    ///
    /// `principal` is asked on the main actor whenever a resource is looked for or a request made: a user's identifier,
    /// say. As long as it returns nil nothing is read or written. Its value is part of what an entity is stored under,
    /// so another value at once means another view. A response that was asked for under one principal is not stored if
    /// there is another when it arrives, and what was looked for under one is not shown under another. What resources
    /// have in memory stays: wipe them when the principal changes.
    public func partitioned(by principal: @escaping @MainActor () -> String?) -> Self {
        Self(storage, coding: coding, principal: principal)
    }
}

extension StoredEntityCache {
    /// Whose entities these are now: empty if the cache is not partitioned, nil if it is and there is nobody.
    @MainActor var currentPrincipal: String? {
        guard let principal else { return "" }
        return principal()
    }

    /// The resource's URL, and whose it is; nil if the cache is partitioned and there is no principal.
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

    /// The entity as it was last written, be it in the store yet or not.
    ///
    /// May be called on any thread, tasks included. If the store has to be asked, the calling thread waits for its disk,
    /// and never for a task; see ``EntityStore/readSynchronously(_:)``.
    public func readEntity(forKey key: StoredEntityKey) -> Entity<Any>? { storage.entity(forKey: key) }

    /// Stores an entity, in a while; reads find it from now on.
    public func writeEntity(_ entity: Entity<Any>, forKey key: StoredEntityKey) {
        storage.write(entity, forKey: key)
    }

    /// Changes the timestamp of what is stored, in a while; reads find it changed from now on.
    public func updateEntityTimestamp(_ timestamp: TimeInterval, forKey key: StoredEntityKey) {
        storage.updateTimestamp(timestamp, forKey: key)
    }

    /// Removes what is stored, in a while; no read finds it from now on.
    public func removeEntity(forKey key: StoredEntityKey) {
        storage.remove(key)
    }
}
