import HTTPRules

extension TypedResource {
    /// The state of a resource at one point in time, with typed content. Any thread may use a snapshot.
    ///
    /// A snapshot also has all properties of the untyped ``Resource/Snapshot``. Descriptions and dumps of a snapshot do
    /// not show the content.
    @dynamicMemberLookup
    public struct Snapshot: Sendable {
        /// The newest content, fresh or stale. If the resource has no data, the value is the
        /// ``TypedResource/placeholder``, if any; see ``Resource/Snapshot/isPlaceholder``. If the content is not of
        /// type `Content`, the value is nil, and ``error`` reports the wrong type.
        public var content: Content? { typedContent.value }

        /// The error of the last load. If there is none, but the content is not of type `Content`, the value is an
        /// error with the code ``RequestError/Code/wrongContentType``; otherwise nil.
        public let error: RequestError?

        private let typedContent: Hidden<Content?>
        private let untyped: Resource.Snapshot

        package init(_ snapshot: Resource.Snapshot) {
            let data = snapshot.data
            (untyped, typedContent) = (snapshot, Hidden(data?.cast(to: Content.self)))
            error = snapshot.error ?? data.flatMap { $0.mismatch(with: Content.self) }
        }

        /// Gives access to the properties of the untyped snapshot, for example to ``Resource/Snapshot/isLoading``,
        /// ``Resource/Snapshot/isStale`` and ``Resource/Snapshot/date``.
        public subscript<Value>(dynamicMember property: KeyPath<Resource.Snapshot, Value>) -> Value {
            untyped[keyPath: property]
        }
    }

    /// The current state, which any thread can read; see ``Resource/snapshot``.
    public nonisolated var snapshot: Snapshot { Snapshot(resource.snapshot) }

    /// An asynchronous sequence of the current state and the state after each change; see ``Resource/states``.
    public nonisolated var states: some AsyncSequence<Snapshot, Never> & Sendable {
        resource.states.map { Snapshot($0) }
    }

    /// An asynchronous sequence of the events of this resource, in order; see ``Resource/events``. Each element also
    /// contains the state at the time when the loop received the event. This state may be newer than the event.
    public nonisolated var events:
        some AsyncSequence<(event: ResourceEvent, missed: Int, snapshot: Snapshot), Never> & Sendable
    {
        resource.events.map { [resource] in
            (event: $0.event, missed: $0.missed, snapshot: Snapshot(resource.snapshot))
        }
    }
}
