extension ActivityEvent {
    /// An operation on a cache.
    public enum CacheOperation: Sendable {
        /// A read that found an entity.
        case hit
        /// A read that found no entity.
        case miss
        /// The writing of an entity.
        case write
        /// The removal of an entity.
        case remove
    }
}
