public import Foundation

/// How much a cache keeps, for how long, how safely, and in which form.
public struct EntityCacheOptions: Sendable {
    /// The sum of the records' sizes in bytes that the cache keeps to, 100 million at first: the least recently used go
    /// first. Nil for no limit.
    public var byteLimit: Int?

    /// The number of entities that the cache keeps to, 20 000 at first: the least recently used go first. Nil for no
    /// limit.
    public var entryLimit: Int?

    /// The age in seconds from which on an entity is as good as not there; nil for none.
    ///
    /// Counted from when the server last said that it was current; one that is dated as far in the future is not there,
    /// either. How long data counts as fresh is another matter, and that of ``Configuration/expirationTime``.
    public var ageLimit: TimeInterval?

    /// What it takes to lose what was written.
    public var durability: Durability

    /// The version of the app's types. Raise it when they have changed so that older entities cannot be read.
    public var schemaVersion: UInt32

    /// Makes an entity of the present ``schemaVersion`` from one of another; nil drops it. Without a migration all of
    /// them are dropped.
    ///
    /// Runs when such an entity is read, or when the cache is compacted, off the main thread.
    public var migration: (@Sendable (StoredEntity) throws -> StoredEntity?)?

    /// Whether what a server answers with `Cache-Control: no-store` or `Vary: *` is left out (RFC 9111 §5.2.2.5, §4.1),
    /// and what was there before removed.
    ///
    /// Many frameworks send that with everything, without meaning that an app must not remember. Set it to false for
    /// such a server.
    public var heedsNoStore: Bool

    /// Whether the cache leaves everything as it is; what it is told to write or remove is ignored.
    public var isReadOnly: Bool

    /// Encrypts the records; nil leaves them in the open.
    public var sealing: (any EntitySealing)?

    /// Creates options; what is not named is as described at the properties.
    public init(
        byteLimit: Int? = 100_000_000, entryLimit: Int? = 20_000, ageLimit: TimeInterval? = nil,
        durability: Durability = .onFlush, schemaVersion: UInt32 = 0,
        migration: (@Sendable (StoredEntity) throws -> StoredEntity?)? = nil, heedsNoStore: Bool = true,
        isReadOnly: Bool = false, sealing: (any EntitySealing)? = nil
    ) {
        self.byteLimit = byteLimit
        self.entryLimit = entryLimit
        self.ageLimit = ageLimit
        self.durability = durability
        self.schemaVersion = schemaVersion
        self.migration = migration
        self.heedsNoStore = heedsNoStore
        self.isReadOnly = isReadOnly
        self.sealing = sealing
    }

    /// Whether a cache with other options at the same place would do the same, as far as that can be told.
    func agrees(with other: Self) -> Bool {
        storeLimits == other.storeLimits && ageLimit == other.ageLimit && durability == other.durability
            && schemaVersion == other.schemaVersion && heedsNoStore == other.heedsNoStore
            && isReadOnly == other.isReadOnly
    }

    /// The limits that a store has to keep to.
    public var storeLimits: EntityStoreLimits { EntityStoreLimits(bytes: byteLimit, entries: entryLimit) }

    /// What it takes to lose what was written.
    ///
    /// | | app crashes or is killed | power fails |
    /// |---|---|---|
    /// | ``onFlush`` | keeps every batch that was handed to the system, which begins as soon as something is written | keeps what was written before the last `flush()` that returned, and not replaced since |
    /// | ``everyWrite`` | the same | keeps every batch that was handed to the system |
    ///
    /// In every case an entity that is found is whole; a damaged one is dropped.
    public enum Durability: Hashable, Sendable {
        /// The system writes to the disk when it likes, or when `flush()` is called. The default.
        case onFlush
        /// Every batch of writes is on the disk before the next begins.
        case everyWrite
    }
}
