import Isolation

/// The events of a service, in the order of their numbers; see ``Service/activity``.
package struct ActivityEvents: AsyncSequence, Sendable {
    /// The listener. It ends when a task that reads it is cancelled, and with the last copy of the sequence and of its
    /// iterators.
    fileprivate final class Listener: Sendable {
        private let queue: ActivityQueue
        private let onEnd: @Sendable () -> Void
        /// The number of the last event that any loop has received.
        let lastID: Locked<Int>

        init(_ queue: ActivityQueue, after lastID: Int, onEnd: @escaping @Sendable () -> Void) {
            (self.queue, self.lastID, self.onEnd) = (queue, Locked(lastID), onEnd)
        }

        deinit { onEnd() }

        /// Waits for the next event.
        func next() async -> ActivityEvent? {
            await withTaskCancellationHandler {
                await queue.next()
            } onCancel: {
                queue.end()
                onEnd()
            }
        }
    }

    private let listener: Listener

    init(_ queue: ActivityQueue, after lastID: Int, onEnd: @escaping @Sendable () -> Void) {
        listener = Listener(queue, after: lastID, onEnd: onEnd)
    }

    /// Returns an iterator over the events since the creation of this sequence that no loop has received.
    package func makeAsyncIterator() -> Iterator {
        Iterator(listener)
    }

    /// An iterator over the events of a service.
    package struct Iterator: AsyncIteratorProtocol {
        private let listener: Listener
        /// The event after a gap; nil if there was no gap.
        private var held: ActivityEvent?

        fileprivate init(_ listener: Listener) {
            self.listener = listener
        }

        /// Waits for the next event. Returns nil if the task is cancelled, and after the release of the service.
        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ActivityEvent? {
            if let held = held.take() { return note(held) }
            guard let event = await listener.next() else { return nil }
            let missedCount = listener.lastID.withLock { lastID in
                defer { lastID = Swift.max(lastID, event.id - 1) }
                return event.id - 1 - lastID
            }
            guard missedCount > 0 else { return note(event) }
            held = event
            return ActivityEvent(
                id: event.id - 1, date: event.date, uptime: event.uptime, kind: .missed(missedCount))
        }

        private func note(_ event: ActivityEvent) -> ActivityEvent {
            listener.lastID.withLock { $0 = Swift.max($0, event.id) }
            return event
        }
    }
}

/// Not `Sendable`: an iterator belongs to one loop.
@available(*, unavailable)
extension ActivityEvents.Iterator: Sendable {}
