/// The events of a resource; see ``Resource/events``.
package struct ResourceEvents: AsyncSequence, Sendable {
    package typealias Element = (event: ResourceEvent, missed: Int)

    /// The maximum number of queued events: 256. If the queue is full, the oldest event is dropped.
    package static let limit = 256

    private let resource: Resource

    package init(resource: Resource) {
        self.resource = resource
    }

    /// Creates the iterator of a new iteration.
    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(consumer: ResourceConsumer(resource, Backlog()))
    }

    /// The iterator of one loop over the events.
    package struct AsyncIterator: AsyncIteratorProtocol {
        let consumer: ResourceConsumer<Backlog>

        /// Waits for the next event. Returns nil if the task is cancelled.
        package func next() async -> Element? { await consumer.next() }

        /// Waits for the next event. Returns nil if the task is cancelled.
        package func next(isolation: isolated (any Actor)?) async -> Element? { await consumer.next() }
    }

    /// A queue that drops its oldest event when it is full.
    struct Backlog: ConsumerBacklog {
        private var events: [ResourceEvent] = []
        private var taken = 0
        private var missed = 0

        mutating func add(_ event: ResourceEvent) {
            if events.count - taken == limit {
                taken += 1
                missed += 1
            }
            if taken >= limit {
                events.removeFirst(taken)
                taken = 0
            }
            events.append(event)
        }

        mutating func addSilentChange() {}

        mutating func next(of resource: Resource) -> Element? {
            guard taken < events.count else { return nil }
            defer { (taken, missed) = (taken + 1, 0) }
            return (events[taken], missed)
        }

        /// An event contains no data.
        func renewed(_ element: Element, of resource: Resource) -> Element { element }
    }
}

/// Not `Sendable`: an iteration belongs to one task.
@available(*, unavailable)
extension ResourceEvents.AsyncIterator: Sendable {}

extension Resource {
    /// An asynchronous sequence of the events of this resource, in order. Any number of tasks may iterate over it at
    /// the same time:
    ///
    ///     for await change in resource.events {
    ///         if change.missed > 0 { print("\(change.missed) events were dropped.") }
    ///         print(change.event)
    ///     }
    ///
    /// Each iteration receives the events that occur after its start. On the main actor, an iteration starts when the
    /// loop is entered; elsewhere, it starts when the loop requests the first event. While the body of the loop is
    /// busy, up to 256 events are queued. If the queue is full, the oldest event is dropped, and `missed` of the next
    /// element is the number of dropped events.
    ///
    /// Each iteration counts as an observer of the resource. The iteration and its observation end when the loop is
    /// left or the task is cancelled. The resource never ends an iteration.
    public nonisolated var events: some AsyncSequence<(event: ResourceEvent, missed: Int), Never> & Sendable {
        ResourceEvents(resource: self)
    }
}
