public import Foundation

extension Resource {
    /// The state of a resource at one point in time. Any thread may use a snapshot.
    ///
    /// The content of ``data`` is the value that the app's transformers have produced. If this value is an instance of
    /// a class, do not mutate it. The same rule applies to the content of every entity.
    public struct Snapshot: Sendable {
        /// The newest data, fresh or stale, including the edits of pending changes.
        ///
        /// If there is no data, the value is the ``Resource/placeholder``; see ``isPlaceholder``. If there is no
        /// placeholder either, the value is nil.
        public var data: Entity<Any>? { carriedData.value }

        /// True if ``data`` is the ``Resource/placeholder``, because the resource has no data.
        public let isPlaceholder: Bool

        /// True if ``data`` contains changes that the server has not confirmed yet; see ``Resource/pendingChanges``.
        public var isOptimistic: Bool { pendingChangeCount > 0 }

        /// The number of changes that the server has not confirmed yet.
        public let pendingChangeCount: Int

        /// The source of ``data``; nil if there is no data, or if the data is a placeholder. If the data contains
        /// pending changes, the source is ``DataSource/local``.
        public let source: DataSource?

        /// The error of the last load; nil if that load succeeded, or if there was none.
        public let error: RequestError?

        /// The ``Resource/timestamp``.
        package let timestamp: TimeInterval

        /// The time at which the data or the error was last known to be current. Nil if there is neither data nor an
        /// error.
        public var date: Date? { Resource.date(ofTimestamp: timestamp) }

        /// True if a load was running when the snapshot was taken.
        public let isLoading: Bool

        /// The progress of the running load, from 0 to 1; nil if no load is running. If several loads are running, the
        /// value is the greatest progress.
        public let progress: Double?

        /// True if a load was necessary when the snapshot was taken: the opposite of ``Resource/isUpToDate`` at that
        /// time. The value is false in a snapshot that was taken after a failed load and before
        /// ``Configuration/retryTime`` had passed, even if there is no data.
        ///
        /// If the freshness follows HTTP, a snapshot considers neither the request headers that the `Vary` of the response
        /// names, nor directives in configured headers. ``Resource/isUpToDate`` considers them, too.
        public let isStale: Bool

        /// The reason why a request waits, and the time of its next attempt; nil if no request waits. See
        /// ``Resource/retry``.
        public let retry: Retry?

        /// The freshness of the data when the snapshot was taken; see ``Resource/freshness``.
        public var freshness: ResourceFreshness {
            ResourceFreshness(
                age.freshness, isPlaceholder ? nil : carriedData.value, within: age.limits, at: age.moment)
        }

        /// Returns the value that a feature has added; nil if it has added none.
        package func value<Value>(of type: Value.Type) -> Value? {
            for case let value as Value in features { return value }
            return nil
        }

        private let age: Age
        private let features: [any Sendable]
        private let carriedData: UncheckedSendable<Entity<Any>?>

        /// The values from which the freshness is computed when it is read.
        fileprivate struct Age {
            let freshness: Freshness
            let limits: Freshness.Limits
            let monotonicTime: TimeInterval
            let clock: SiestaClock

            /// The time of the snapshot on both clocks.
            var moment: State.Moment {
                let elapsed = clock.monotonicTime - monotonicTime
                return State.Moment(wallTime: clock.wallTime - elapsed, monotonicTime: monotonicTime)
            }

            var isStale: Bool { !freshness.isUpToDate(at: monotonicTime, within: limits) }
        }

        fileprivate init(_ values: PublishedValues, _ age: Age) {
            let state = values.state
            (self.age, features) = (age, values.features)
            carriedData = UncheckedSendable(state.shownOrPlaceholder)
            isPlaceholder = state.isShowingPlaceholder
            pendingChangeCount = state.pendingChangeCount
            source = state.shownSource
            error = state.error
            timestamp = state.timestamp
            isLoading = state.isLoading
            progress = state.isLoading ? Double(state.progress) : nil
            isStale = age.isStale
            retry = values.retry
        }
    }

    /// The current state of the resource. Any thread can read it without waiting for the main actor.
    ///
    /// All values of the snapshot belong to the same point in time. ``Snapshot/isStale`` and ``Snapshot/freshness`` are
    /// computed with the configuration that the resource last used. Reading this property does not start a read of the
    /// persistent caches. The getter takes a lock that is held only briefly.
    public nonisolated var snapshot: Snapshot {
        let values = publishedValues
        let age = Snapshot.Age(
            freshness: values.state.freshness, limits: values.limits ?? Freshness.Limits(Configuration()),
            monotonicTime: context.clock.monotonicTime, clock: context.clock)
        return Snapshot(values, age)
    }
}
