import HTTPRules

extension TypedResource {
    /// The state of a resource at one point in time, with typed content. Any thread may use a snapshot.
    ///
    /// A snapshot also has all properties of the ``Resource/Snapshot`` of the resource. No text shows the content.
    @dynamicMemberLookup
    public struct Snapshot: Sendable {
        /// The newest content, fresh or stale; nil if there is no content, or if its type is not `Content`. If the type
        /// is not `Content`, ``error`` reports the wrong type. If there is no data, the value is the
        /// ``TypedResource/placeholder``; see ``Resource/Snapshot/isPlaceholder``.
        public var content: Content? { typedContent.value }

        /// The error of the last load, or the error for data of another type; nil if there is no error.
        public let error: RequestError?

        private let typedContent: Hidden<Content?>
        private let untyped: Resource.Snapshot

        package init(_ snapshot: Resource.Snapshot) {
            let data = snapshot.data
            (untyped, typedContent) = (snapshot, Hidden(data?.cast(to: Content.self)))
            error = snapshot.error ?? data.flatMap { $0.mismatch(with: Content.self) }
        }

        /// The properties of the untyped snapshot: ``Resource/Snapshot/isLoading``, ``Resource/Snapshot/isStale``,
        /// ``Resource/Snapshot/date`` and all other properties.
        public subscript<Value>(dynamicMember property: KeyPath<Resource.Snapshot, Value>) -> Value {
            untyped[keyPath: property]
        }
    }

    /// The current state, readable from any thread; see ``Resource/snapshot``.
    public nonisolated var snapshot: Snapshot { Snapshot(resource.snapshot) }

    /// The states of this resource, now and after each change; see ``Resource/states``.
    public nonisolated var states: some AsyncSequence<Snapshot, Never> & Sendable {
        resource.states.map { Snapshot($0) }
    }

    /// The events of this resource, in order; see ``Resource/events``. Each element also contains the state at the time
    /// when the consumer received the event. This state may be newer than the event.
    public nonisolated var events:
        some AsyncSequence<(event: ResourceEvent, missed: Int, snapshot: Snapshot), Never> & Sendable
    {
        resource.events.map { [resource] in
            (event: $0.event, missed: $0.missed, snapshot: Snapshot(resource.snapshot))
        }
    }
}
