public import Foundation

extension TypedResource {
    /// The state of a resource at one point in time, with typed content. Any thread may use a snapshot.
    public struct Snapshot: Sendable {
        /// The newest content, fresh or stale; nil if there is no content, or if its type is not `Content`. If the type
        /// is not `Content`, ``error`` reports the wrong type. If there is no data, the value is the
        /// ``TypedResource/placeholder``; see ``isPlaceholder``.
        public let content: Content?

        /// True if ``content`` is the ``TypedResource/placeholder``, because the resource has no data.
        public let isPlaceholder: Bool

        /// True if ``content`` contains changes that the server has not confirmed yet; see ``Resource/pendingChanges``.
        public var isOptimistic: Bool { untyped.isOptimistic }

        /// The source of the data; nil if there is no data.
        public let source: Resource.DataSource?

        /// The error of the last load, or the error for data of another type; nil if there is no error.
        public let error: RequestError?

        /// The time at which data or error was last known to be current; nil if there is no data and no error. See
        /// ``Resource/date``.
        public let date: Date?

        /// True if a load was running.
        public let isLoading: Bool

        /// The progress of the running load, from 0 to 1; nil if no load is running. See
        /// ``Resource/Snapshot/progress``.
        public let progress: Double?

        /// True if a load was necessary; see ``Resource/Snapshot/isStale``.
        public let isStale: Bool

        /// The freshness of the data; see ``Resource/Snapshot/freshness``.
        public var freshness: ResourceFreshness { untyped.freshness }

        /// The snapshot of the resource, with the values that features have added.
        package let untyped: Resource.Snapshot

        /// The reason why a request waits for its next attempt; nil if no request waits. See ``Resource/retry``.
        public let retry: Resource.Retry?

        package init(_ snapshot: Resource.Snapshot) {
            untyped = snapshot
            let data = snapshot.data
            content = data?.cast(to: Content.self)
            isPlaceholder = snapshot.isPlaceholder
            source = snapshot.source
            error = snapshot.error ?? data.flatMap { $0.mismatch(with: Content.self) }
            date = snapshot.date
            isLoading = snapshot.isLoading
            progress = snapshot.progress
            isStale = snapshot.isStale
            retry = snapshot.retry
        }
    }

    /// An event, and the state at the time when the consumer received it.
    public struct Event: Sendable {
        /// The event.
        public let event: ResourceEvent

        /// The state when the consumer received the event. This state may be newer than the event.
        public let snapshot: Snapshot

        /// The number of events that were dropped before this event because the consumer was too slow; see
        /// ``ResourceEvents``.
        public let missed: Int
    }

    /// The current state, readable from any thread; see ``Resource/snapshot``.
    public nonisolated var snapshot: Snapshot { Snapshot(resource.snapshot) }

    /// The states of this resource, now and after each change; see ``ResourceStates``.
    public nonisolated var states: AsyncMapSequence<ResourceStates, Snapshot> {
        resource.states.map { Snapshot($0) }
    }

    /// The events of this resource, in order; see ``ResourceEvents``.
    public nonisolated var events: AsyncMapSequence<ResourceEvents, Event> {
        resource.events.map { [resource] in
            Event(event: $0.event, snapshot: Snapshot(resource.snapshot), missed: $0.missed)
        }
    }
}

extension TypedResource.Snapshot: CustomStringConvertible, CustomReflectable {
    /// The type of the content, the source, the error, and the flags that are set. Never contains the content.
    public var description: String {
        let parts = [
            content.map { "\(type(of: $0 as Any))" }, source?.description, error.map { "error: \($0)" },
            isLoading ? "loading" : nil, isStale ? "stale" : nil,
        ]
        return PreparedText.line("Snapshot(\(parts.compactMap { $0 }.joined(separator: ", ")))")
    }

    /// An empty mirror, so that `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
