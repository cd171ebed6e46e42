extension TypedResource {
    /// What a resource knew at one moment, its content of the right type; a value for any thread.
    public struct State: Sendable {
        /// The newest data, whatever its age; nil if there was none, or ``error`` says that it was of another type.
        public let content: Content?

        /// Where the data came from last; nil if there was none.
        public let source: Resource.DataSource?

        /// Why the last load failed, or that the data was of another type.
        public let error: RequestError?

        /// Whether a load was running.
        public let isLoading: Bool

        /// How far the running load had come, from 0 to 1; nil if none was running. See
        /// ``Resource/Snapshot/progress``.
        public let progress: Double?

        /// Whether the data was missing, outdated or invalidated; see ``Resource/Snapshot/isStale``.
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

    /// An event, and the content as it was when the event was taken.
    public struct Change: Sendable {
        /// What happened.
        public let event: ResourceEvent

        /// The state when the consumer took the event: as new as the event or newer.
        public let state: State

        /// How many events were dropped before this one since the consumer was behind; see ``ResourceEvents``.
        public let missed: Int
    }

    /// The present state in one piece, readable from any thread; see ``Resource/snapshot``.
    public nonisolated var state: State { State(resource.snapshot) }

    /// What this resource knows, now and after each change; see ``ResourceStates``.
    public nonisolated var states: AsyncMapSequence<ResourceStates, State> {
        resource.states.map { State($0) }
    }

    /// Every event of this resource, in order; see ``ResourceEvents``.
    public nonisolated var events: AsyncMapSequence<ResourceEvents, Change> {
        resource.events.map { [resource] in
            Change(event: $0.event, state: State(resource.snapshot), missed: $0.missed)
        }
    }
}
