public import Foundation
public import SiestaCore

/// The settings of a cache: limits, durability, schema version, and encryption.
public struct EntityCacheOptions: Sendable {
    /// The maximum total size of the records, in bytes; nil for no limit. The default is 100 million.
    ///
    /// If the limit is exceeded, the cache evicts the least recently used records.
    public var byteLimit: Int?

    /// The maximum number of entities; nil for no limit. The default is 20 000.
    ///
    /// If the limit is exceeded, the cache evicts the least recently used entities.
    public var entryLimit: Int?

    /// The maximum age of an entity, in seconds; nil for no limit, which is the default. Older entities are treated as
    /// missing.
    ///
    /// The age is the time since the server last confirmed the entity. An entity is also treated as missing if its
    /// timestamp is in the future by more than this limit. This limit does not affect how long data is fresh; see
    /// `Configuration.expirationTime`.
    public var ageLimit: TimeInterval?

    /// The durability of writes. The default is ``Durability/onFlush``.
    public var durability: Durability

    /// The version of the app's types; 0 by default. Increase the version when a change to the types makes older
    /// entities unreadable.
    public var schemaVersion: UInt32

    /// A closure that converts an entity of another schema version to the current ``schemaVersion``, or returns nil to
    /// drop the entity. If there is no closure, the cache drops all entities of other versions.
    ///
    /// The cache calls the closure off the main thread, when such an entity is read and when the cache is compacted.
    public var migration: (@Sendable (CacheRecord) throws -> CacheRecord?)?

    /// True if the cache does not store responses with `Cache-Control: no-store` or `Vary: *` (RFC 9111 §5.2.2.5,
    /// §4.1). If such a response arrives, the cache removes the stored entity of the resource. The default is true.
    ///
    /// Many server frameworks add these headers to every response, even to responses that an app may store. For such a
    /// server, set the property to false.
    public var respectsNoStore: Bool

    /// True if the cache never changes its store and ignores writes and removals. The default is false.
    public var isReadOnly: Bool

    /// The encryption of the records. The default is nil: records are stored unencrypted.
    public var sealing: (any EntitySealing)?

    /// Creates options. The default of each parameter is described with its property.
    public init(
        byteLimit: Int? = 100_000_000, entryLimit: Int? = 20_000, ageLimit: TimeInterval? = nil,
        durability: Durability = .onFlush, schemaVersion: UInt32 = 0,
        migration: (@Sendable (CacheRecord) throws -> CacheRecord?)? = nil, respectsNoStore: Bool = true,
        isReadOnly: Bool = false, sealing: (any EntitySealing)? = nil
    ) {
        self.byteLimit = byteLimit
        self.entryLimit = entryLimit
        self.ageLimit = ageLimit
        self.durability = durability
        self.schemaVersion = schemaVersion
        self.migration = migration
        self.respectsNoStore = respectsNoStore
        self.isReadOnly = isReadOnly
        self.sealing = sealing
    }

    /// Returns true if a cache with the other options at the same place would work in the same way. Ignores closures,
    /// because they cannot be compared.
    func agrees(with other: Self) -> Bool {
        storeLimits == other.storeLimits && ageLimit == other.ageLimit && durability == other.durability
            && schemaVersion == other.schemaVersion && respectsNoStore == other.respectsNoStore
            && isReadOnly == other.isReadOnly
    }

    /// The limits that these options set for the store.
    package var storeLimits: RecordLimits { RecordLimits(bytes: byteLimit, entries: entryLimit) }

    /// The guarantee for writes in case of a crash or a power failure.
    ///
    /// | | the app crashes or is killed | the power fails |
    /// |---|---|---|
    /// | ``onFlush`` | all batches that were passed to the system survive | the records written before the last completed `flush()` survive, unless they were replaced later |
    /// | ``everyWrite`` | all batches that were passed to the system survive | all batches that were passed to the system survive |
    ///
    /// A batch begins as soon as there is an entity to write and the previous batch has ended. A read never finds an
    /// incomplete entity, because the cache drops damaged entities.
    public enum Durability: Hashable, Sendable {
        /// The system decides when it writes to disk. `flush()` makes it write at once. This is the default.
        case onFlush
        /// Every batch of writes is on disk before the next batch begins.
        case everyWrite
    }
}
