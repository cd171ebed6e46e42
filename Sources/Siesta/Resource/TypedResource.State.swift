extension TypedResource {
    /// The state of a resource at one point in time, with typed content. A value for any thread.
    public struct State: Sendable {
        /// The newest content, whatever its age; nil if there was none, or if it was of another type, which ``error``
        /// then reports.
        public let content: Content?

        /// The last source of the data; nil without data.
        public let source: Resource.DataSource?

        /// The error of the last load, or the error that the data was of another type; nil without either.
        public let error: RequestError?

        /// True if a load was running.
        public let isLoading: Bool

        /// The progress of the running load, from 0 to 1; nil without a load. See ``Resource/Snapshot/progress``.
        public let progress: Double?

        /// True if the data was missing, stale or invalidated; see ``Resource/Snapshot/isStale``.
        public let isStale: Bool

        init(_ snapshot: Resource.Snapshot) {
            let data = snapshot.data
            content = data?.content as? Content
            source = snapshot.source
            error = snapshot.error ?? data.flatMap { $0.mismatch(with: Content.self) }
            isLoading = snapshot.isLoading
            progress = snapshot.progress
            isStale = snapshot.isStale
        }
    }

    /// An event, and the state at the time when the consumer received it.
    public struct Change: Sendable {
        /// The event.
        public let event: ResourceEvent

        /// The state when the consumer received the event. It is as new as the event, or newer.
        public let state: State

        /// The number of events before this one that were dropped because the consumer was too slow; see
        /// ``ResourceEvents``.
        public let missed: Int
    }

    /// The current state, readable from any thread; see ``Resource/snapshot``.
    public nonisolated var state: State { State(resource.snapshot) }

    /// The states of this resource, now and after each change; see ``ResourceStates``.
    public nonisolated var states: AsyncMapSequence<ResourceStates, State> {
        resource.states.map { State($0) }
    }

    /// The events of this resource, in order; see ``ResourceEvents``.
    public nonisolated var events: AsyncMapSequence<ResourceEvents, Change> {
        resource.events.map { [resource] in
            Change(event: $0.event, state: State(resource.snapshot), missed: $0.missed)
        }
    }
}
