public import Foundation

extension Resource {
    /// What a resource knew at one moment; a value for any thread.
    ///
    /// The content of ``data`` is what the app's transformers made; as with every entity, it must not be changed if it
    /// is an object.
    public struct Snapshot: Sendable {
        /// The newest data, whatever its age.
        public var data: Entity<Any>? { carriedData.value }

        /// Where ``data`` came from last; nil without any.
        public let source: DataSource?

        /// Why the last load failed; nil once one has succeeded.
        public let error: RequestError?

        /// When data or error was last known to be current, in seconds since the reference date; 0 without either.
        public let timestamp: TimeInterval

        /// Whether a load was running.
        public let isLoading: Bool

        /// How far the running load had come, from 0 to 1; nil if none was running. Of several running loads, the
        /// progress of the one that had come farthest.
        public let progress: Double?

        /// Whether there was no data, or it was older than ``Configuration/expirationTime``, or invalidated; after a
        /// failure, whether it is time to try again.
        public let isStale: Bool

        private let carriedData: UncheckedTransfer<Entity<Any>?>

        init(_ state: State, isStale: Bool) {
            carriedData = UncheckedTransfer(state.data)
            source = state.source
            error = state.error
            timestamp = state.timestamp
            isLoading = state.isLoading
            progress = state.isLoading ? Double(state.progress) : nil
            self.isStale = isStale
        }
    }

    /// The present state in one piece, readable from any thread without waiting for the main actor.
    ///
    /// All of it is from one moment. Whether it is stale is judged by the configuration that the resource last used.
    /// Reading it does not make the resource look into its persistent caches. Takes a lock that is never held for long.
    public nonisolated var snapshot: Snapshot {
        let (state, limits) = lock.withLock { (self.state, loadConfiguration?.freshnessLimits) }
        let defaults = Configuration()
        let isUpToDate = state.freshness.isUpToDate(
            at: context.clock.monotonicTime,
            within: limits
                ?? Freshness.Limits(expirationTime: defaults.expirationTime, retryTime: defaults.retryTime))
        return Snapshot(state, isStale: !isUpToDate)
    }
}
