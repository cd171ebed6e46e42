public import Foundation

extension ActivityEvent {
    /// A use of a cache.
    public struct CacheUse: Hashable, Sendable {
        /// The operation that the cache performed.
        public let operation: Operation
        /// The stage whose cache was used, for example "model"; nil for all stages.
        public let stage: String?
        /// The duration in seconds; nil if it is not measured.
        public let duration: TimeInterval?

        /// The operation of a cache.
        public enum Operation: String, Hashable, Sendable {
            /// A read that found an entity.
            case hit
            /// A read that found nothing.
            case miss
            /// An entity is written.
            case write
            /// An entity is removed.
            case remove
        }

        package init(_ operation: Operation, stage: String?, duration: TimeInterval? = nil) {
            (self.operation, self.stage, self.duration) = (operation, stage, duration)
        }
    }

    /// The application of a transformer.
    public struct Transformation: Hashable, Sendable {
        /// The stage, for example "parsing".
        public let stage: String
        /// The type or the description of the transformer.
        public let transformer: String
        /// The duration in seconds.
        public let duration: TimeInterval
        /// True if the result was a failure.
        public let hasFailed: Bool

        package init(stage: String, transformer: String, duration: TimeInterval, hasFailed: Bool) {
            (self.stage, self.transformer) = (stage, transformer)
            (self.duration, self.hasFailed) = (duration, hasFailed)
        }
    }

    /// The reason for an invalidation.
    public enum InvalidationReason: String, Hashable, Sendable {
        /// A call to ``Resource/invalidate()``.
        case call
        /// A write, a tag, or another resource on which the invalidated resource depends.
        case dependency
    }
}
