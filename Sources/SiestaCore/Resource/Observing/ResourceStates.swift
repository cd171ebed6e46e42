/// The states of a resource; see ``Resource/states``.
package struct ResourceStates: AsyncSequence, Sendable {
    let resource: Resource
    /// What happens to the resource while a loop receives its states; nil for nothing.
    var companion: (any ConsumerCompanion)?

    package init(resource: Resource, companion: (any ConsumerCompanion)? = nil) {
        (self.resource, self.companion) = (resource, companion)
    }

    /// Creates the iterator of a new iteration.
    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(consumer: ResourceConsumer(resource, Backlog(), companion))
    }

    /// The iterator of one loop over the states.
    package struct AsyncIterator: AsyncIteratorProtocol {
        let consumer: ResourceConsumer<Backlog>

        /// Waits for the next state. Returns nil if the task is cancelled.
        package func next() async -> Resource.Snapshot? { await consumer.next() }

        /// Waits for the next state. Returns nil if the task is cancelled.
        package func next(isolation: isolated (any Actor)?) async -> Resource.Snapshot? { await consumer.next() }
    }

    /// A flag that is set if there is a state that the consumer has not received.
    struct Backlog: ConsumerBacklog {
        private var isNew = true
        /// The wipe count at which the last state was made.
        private var wipes = WipeCount.none

        mutating func add(_ event: ResourceEvent) { isNew = true }
        mutating func addSilentChange() { isNew = true }

        mutating func next(of resource: Resource) -> Resource.Snapshot? {
            guard isNew else { return nil }
            (isNew, wipes) = (false, .now)
            return resource.snapshot
        }

        /// A state whose data is gone, or whose data and error may be those of another user, is replaced by the newest one.
        /// All others stay, because a short load may have ended.
        mutating func renewed(_ state: Resource.Snapshot, of resource: Resource) -> Resource.Snapshot {
            let isGone = state.data != nil && resource.state.data == nil
            guard isGone || resource.isOutdated(wipes) else { return state }
            isNew = false
            return resource.snapshot
        }
    }
}

/// Not `Sendable`: an iteration belongs to one task.
@available(*, unavailable)
extension ResourceStates.AsyncIterator: Sendable {}

extension Resource {
    /// An asynchronous sequence of the current state of this resource and its state after each change. Any number of
    /// tasks may iterate over it at the same time:
    ///
    ///     for await state in resource.states {
    ///         show(state.data, state.error, isBusy: state.isLoading)
    ///     }
    ///
    /// Each iteration receives the current state at once, and then the newest state after each change of the data, the
    /// error, ``isLoading``, the progress or ``Resource/retry``. If several changes occur while the body of the loop is
    /// busy, the iteration receives only the newest state.
    ///
    /// An iteration counts as an observer of the resource. The iteration and its observation end when the loop is left
    /// or the task is cancelled. The resource never ends an iteration.
    public nonisolated var states: some AsyncSequence<Snapshot, Never> & Sendable { ResourceStates(resource: self) }
}
