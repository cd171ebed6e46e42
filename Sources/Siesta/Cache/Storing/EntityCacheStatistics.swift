/// The size of a cache, and counts of its operations since it was created.
public struct EntityCacheStatistics: Hashable, Sendable {
    /// The number and the size of the records; nil if the store cannot tell.
    public var usage: EntityStoreUsage?
    /// The number of reads that found an entity.
    public var hits = 0
    /// The number of reads that found none.
    public var misses = 0
    /// The number of entities written to the store.
    public var writes = 0
    /// The number of entities that the cache did not store because their content cannot be encoded or is too large.
    public var refusals = 0
    /// The number of failed operations of the store, and of records removed because nobody can use them, such as
    /// damaged ones.
    public var failures = 0
    /// The description of the store's last error; nil if there was none. If a folder must not be used, the text names
    /// the folder and the remedy.
    public var lastFailure: String?

    /// Creates the statistics of a cache that was never used.
    public init() {}
}
