extension ActivityEvent {
    /// The operation of a cache.
    public enum CacheOperation: Sendable {
        /// A read that found an entity.
        case hit
        /// A read that found nothing.
        case miss
        /// An entity is written.
        case write
        /// An entity is removed.
        case remove
    }
}
