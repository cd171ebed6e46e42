/// What a cache holds, and how it has fared since it was made.
public struct EntityCacheStatistics: Hashable, Sendable {
    /// How many records there are, and their size; nil if the store cannot say.
    public var usage: EntityStoreUsage?
    /// Reads that found an entity.
    public var hits = 0
    /// Reads that found none.
    public var misses = 0
    /// Entities that have reached the store.
    public var writes = 0
    /// Entities that were not stored, because their content cannot be encoded or is too large.
    public var refusals = 0
    /// Operations of the store that failed, and records that were damaged.
    public var failures = 0
    /// The last of the store's errors, in words: a folder that must not be used is named, and the remedy. Nil if there
    /// was none.
    public var lastFailure: String?

    /// Creates statistics of a cache that was never used.
    public init() {}
}
