public import Foundation

/// The settings of a cache: limits, durability, versions, and encryption.
public struct EntityCacheOptions: Sendable {
    /// The maximum sum of the records' sizes, in bytes; nil for no limit. The default is 100 million.
    ///
    /// If the sum is larger, the cache evicts the least recently used records first.
    public var byteLimit: Int?

    /// The maximum number of entities; nil for no limit. The default is 20 000.
    ///
    /// If there are more, the cache evicts the least recently used entities first.
    public var entryLimit: Int?

    /// The maximum age of an entity, in seconds; nil for no limit, which is the default. Older entities are treated as
    /// missing.
    ///
    /// The age is the time since the server last confirmed the entity. If an entity's timestamp is in the future by
    /// more than this limit, it is treated as missing, too. The limit does not decide how long data is fresh: see
    /// ``Configuration/expirationTime``.
    public var ageLimit: TimeInterval?

    /// The durability of writes. The default is ``Durability/onFlush``.
    public var durability: Durability

    /// The version of the app's types; 0 by default. Raise it when the types have changed so that older entities cannot
    /// be read.
    public var schemaVersion: UInt32

    /// Converts an entity of another schema version to the current ``schemaVersion``, or returns nil to drop it.
    /// Without a migration, the cache drops all entities of other versions.
    ///
    /// The cache calls it off the main thread when such an entity is read, and when the cache is compacted.
    public var migration: (@Sendable (StoredEntity) throws -> StoredEntity?)?

    /// True if the cache does not store responses with `Cache-Control: no-store` or `Vary: *` (RFC 9111 §5.2.2.5,
    /// §4.1), and removes the entity stored before. The default is true.
    ///
    /// Many frameworks add these headers to every response, although the app may well store it. Set the property to
    /// false for such a server.
    public var heedsNoStore: Bool

    /// True if the cache never changes its store: it ignores writes and removals. The default is false.
    public var isReadOnly: Bool

    /// The encryption of the records; nil, the default, stores them unencrypted.
    public var sealing: (any EntitySealing)?

    /// Creates options. Parameters that are left out have the defaults that the properties describe.
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

    /// Returns true if a cache with the other options at the same place would do the same. Closures cannot be compared
    /// and are left out.
    func agrees(with other: Self) -> Bool {
        storeLimits == other.storeLimits && ageLimit == other.ageLimit && durability == other.durability
            && schemaVersion == other.schemaVersion && heedsNoStore == other.heedsNoStore
            && isReadOnly == other.isReadOnly
    }

    /// The limits that these options set for the store.
    public var storeLimits: EntityStoreLimits { EntityStoreLimits(bytes: byteLimit, entries: entryLimit) }

    /// The moment from which a write survives a crash or a power failure.
    ///
    /// | | app crashes or is killed | power fails |
    /// |---|---|---|
    /// | ``onFlush`` | keeps every batch that was handed to the system; a batch begins as soon as something is written | keeps the records written before the last `flush()` that returned, unless they were replaced since |
    /// | ``everyWrite`` | the same | keeps every batch that was handed to the system |
    ///
    /// In every case a read finds a whole entity or none: the cache drops damaged entities.
    public enum Durability: Hashable, Sendable {
        /// The system decides when it writes to the disk; `flush()` forces it. The default.
        case onFlush
        /// Every batch of writes is on the disk before the next batch begins.
        case everyWrite
    }
}
