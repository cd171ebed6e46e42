import Isolation

/// The events of a service, in the order of their numbers. See ``Service/activity``.
///
/// A sequence that is read too slowly keeps its newest events, and loses the others. A loop then receives
/// ``ActivityEvent/Kind/missed(_:)`` with the number of the lost events, and continues with the next one. Any thread may
/// read it. The events are for one reader: two loops over one sequence share them, and a loop continues where the loop
/// before it has ended.
public struct ActivityEvents: AsyncSequence, Sendable {
    /// An event in the queue of a listener. The stream would copy an event part by part, and several times.
    final class Queued: Sendable {
        let event: ActivityEvent

        init(_ event: ActivityEvent) { self.event = event }
    }

    private let stream: AsyncStream<Queued>
    /// The number of the last event that any loop has received.
    private let lastID: Locked<Int>

    init(stream: AsyncStream<Queued>, after lastID: Int) {
        (self.stream, self.lastID) = (stream, Locked(lastID))
    }

    /// Returns an iterator over the events since the creation of this sequence that no loop has received.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: stream.makeAsyncIterator(), lastID: lastID)
    }

    /// An iterator over the events of a service.
    public struct Iterator: AsyncIteratorProtocol {
        private var base: AsyncStream<Queued>.Iterator
        private let lastID: Locked<Int>
        /// The event after a gap; nil if there was no gap.
        private var held: ActivityEvent?

        fileprivate init(base: AsyncStream<Queued>.Iterator, lastID: Locked<Int>) {
            (self.base, self.lastID) = (base, lastID)
        }

        /// Waits for the next event. Returns nil if the task is cancelled, and after the release of the service.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ActivityEvent? {
            if let held = held.take() { return note(held) }
            guard let event = await base.next(isolation: actor)?.event else { return nil }
            let missedCount = lastID.withLock { lastID in
                defer { lastID = Swift.max(lastID, event.id - 1) }
                return event.id - 1 - lastID
            }
            guard missedCount > 0 else { return note(event) }
            held = event
            return ActivityEvent(
                id: event.id - 1, date: event.date, uptime: event.uptime, kind: .missed(missedCount))
        }

        private func note(_ event: ActivityEvent) -> ActivityEvent {
            lastID.withLock { $0 = Swift.max($0, event.id) }
            return event
        }
    }
}

/// Not `Sendable`: an iterator belongs to one loop.
@available(*, unavailable)
extension ActivityEvents.Iterator: Sendable {}
