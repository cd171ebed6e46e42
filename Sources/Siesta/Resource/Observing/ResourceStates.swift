/// What a resource knows, again whenever that changes, for any number of concurrent iterations:
///
///     for await state in resource.states {
///         show(state.data, state.error, isBusy: state.isLoading)
///     }
///
/// Each iteration gets the present state first, at once, and then the newest state after each change of data, error,
/// loading or progress; a consumer that is busy meanwhile gets the newest alone. An iteration counts as an observer of
/// the resource. It ends, and with it the observation, when the loop is left or the task is cancelled; the resource
/// never ends it.
public struct ResourceStates: AsyncSequence, Sendable {
    /// A state.
    public typealias Element = Resource.Snapshot

    /// It does not fail.
    public typealias Failure = Never

    let resource: Resource

    /// Begins an iteration.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(consumer: ResourceConsumer(resource, Backlog()))
    }

    /// One iteration.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let consumer: ResourceConsumer<Backlog>

        /// Waits for the next state; nil once the task is cancelled.
        public func next() async -> Element? { await consumer.next() }

        /// Waits for the next state; nil once the task is cancelled.
        public func next(isolation: isolated (any Actor)?) async -> Element? { await consumer.next() }
    }

    /// Whether there is a state that was not taken yet.
    struct Backlog: ConsumerBacklog {
        private var isNew = true

        mutating func add(_ event: ResourceEvent) { isNew = true }
        mutating func addSilentChange() { isNew = true }

        mutating func next(of resource: Resource) -> Element? {
            defer { isNew = false }
            return isNew ? resource.snapshot : nil
        }
    }
}

/// One iteration belongs to one task.
@available(*, unavailable)
extension ResourceStates.AsyncIterator: Sendable {}

extension Resource {
    /// What this resource knows, now and after each change; see ``ResourceStates``.
    public nonisolated var states: ResourceStates { ResourceStates(resource: self) }
}
