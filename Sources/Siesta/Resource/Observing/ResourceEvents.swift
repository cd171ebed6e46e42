/// The events of a resource, in order, for any number of concurrent iterations:
///
///     for await change in resource.events {
///         if change.missed > 0 { … }
///         switch change.event { … }
///     }
///
/// Each iteration gets every event from when it begins: on the main actor that is when the loop is entered, elsewhere
/// when it first asks for an event. Events that come while the consumer is busy wait for it, up to ``limit``; beyond
/// that the oldest are dropped, and the next one tells how many. An iteration counts as an observer of the resource. It
/// ends, and with it the observation, when the loop is left or the task is cancelled; the resource never ends it.
public struct ResourceEvents: AsyncSequence, Sendable {
    /// An event, and whether others were dropped before it.
    public struct Element: Sendable, Hashable {
        /// What happened.
        public let event: ResourceEvent

        /// How many events came between the last one that was delivered and this one, and were dropped since the
        /// consumer was behind.
        public let missed: Int
    }

    /// It does not fail.
    public typealias Failure = Never

    /// How many events wait for a slow consumer before the oldest are dropped.
    public static let limit = 256

    let resource: Resource

    /// Begins an iteration.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(consumer: ResourceConsumer(resource, Backlog()))
    }

    /// One iteration.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let consumer: ResourceConsumer<Backlog>

        /// Waits for the next event; nil once the task is cancelled.
        public func next() async -> Element? { await consumer.next() }

        /// Waits for the next event; nil once the task is cancelled.
        public func next(isolation: isolated (any Actor)?) async -> Element? { await consumer.next() }
    }

    /// A queue that drops the oldest when it is full.
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
            return Element(event: events[taken], missed: missed)
        }
    }
}

/// One iteration belongs to one task.
@available(*, unavailable)
extension ResourceEvents.AsyncIterator: Sendable {}

extension Resource {
    /// Every event of this resource, in order; see ``ResourceEvents``.
    public nonisolated var events: ResourceEvents { ResourceEvents(resource: self) }
}
