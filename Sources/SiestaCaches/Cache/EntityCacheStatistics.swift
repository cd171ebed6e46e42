/// The size of a ``CacheStorage``, and counts of its operations since it was created.
public struct EntityCacheStatistics: Equatable, Sendable {
    /// The number and the size of the records; nil if the store cannot report them.
    public var usage: RecordUsage?
    /// The number of reads that found an entity.
    public var hits = 0
    /// The number of reads that found no entity.
    public var misses = 0
    /// The number of entities written to the store.
    public var writes = 0
    /// The number of entities that the cache did not store because their content cannot be encoded or is too large.
    public var refusals = 0
    /// The number of failed operations of the store, plus the number of unusable records, such as damaged ones, that
    /// were removed.
    public var failures = 0
    /// The description of the store's last error; nil if no error has occurred. If the store refuses to use a folder,
    /// this description names the folder and the remedy.
    public var lastFailure: String?

    package init() {}
}
