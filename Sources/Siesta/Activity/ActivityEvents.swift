/// The events of a service, in the order of their numbers. See ``Service/activity``.
///
/// A sequence that is read too slowly keeps its newest events, and loses the others. A loop then receives
/// ``ActivityEvent/Kind/missed(_:)`` with the number of the lost events, and continues with the next one. Any thread may
/// read it. The events are for one reader: two loops over one sequence share them.
public struct ActivityEvents: AsyncSequence, Sendable {
    private let stream: AsyncStream<ActivityEvent>
    private let lastID: Int

    init(stream: AsyncStream<ActivityEvent>, after lastID: Int) {
        (self.stream, self.lastID) = (stream, lastID)
    }

    /// Returns an iterator over the events since the creation of this sequence.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: stream.makeAsyncIterator(), lastID: lastID)
    }

    /// An iterator over the events of a service.
    public struct Iterator: AsyncIteratorProtocol {
        private var base: AsyncStream<ActivityEvent>.Iterator
        private var lastID: Int
        /// The event after a gap; nil if there was no gap.
        private var held: ActivityEvent?

        fileprivate init(base: AsyncStream<ActivityEvent>.Iterator, lastID: Int) {
            (self.base, self.lastID) = (base, lastID)
        }

        /// Waits for the next event. Returns nil if the task is cancelled, and after the release of the service.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ActivityEvent? {
            if let held = held.take() { return note(held) }
            guard let event = await base.next(isolation: actor) else { return nil }
            guard event.id > lastID + 1 else { return note(event) }
            held = event
            return ActivityEvent(
                id: event.id - 1, date: event.date, uptime: event.uptime, kind: .missed(event.id - 1 - lastID))
        }

        private mutating func note(_ event: ActivityEvent) -> ActivityEvent {
            lastID = event.id
            return event
        }
    }
}

/// Not `Sendable`: an iterator belongs to one loop.
@available(*, unavailable)
extension ActivityEvents.Iterator: Sendable {}
