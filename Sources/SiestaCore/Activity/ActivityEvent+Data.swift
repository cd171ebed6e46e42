extension ActivityEvent {
    /// An operation on a cache.
    public enum CacheOperation: Sendable {
        /// A read that found an entity.
        case hit
        /// A read that found no entity.
        case miss
        /// A write of an entity.
        case write
        /// A removal of an entity.
        case remove
    }
}
