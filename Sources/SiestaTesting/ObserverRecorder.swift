public import Siesta

/// An observer that remembers everything it was told, and lets a test wait for what is to come.
@MainActor
public final class ObserverRecorder: ResourceObserver {
    /// One event, and the resource's state when it was told.
    public struct Record {
        /// The event.
        public let event: ResourceEvent
        /// The resource that it happened to.
        public let resource: Resource
        /// The data at that time.
        public let data: Entity<Any>?
        /// The error at that time.
        public let error: RequestError?
        /// Whether a load was running at that time.
        public let isLoading: Bool
    }

    /// Everything told so far.
    public private(set) var records: [Record] = []

    /// The progress reported so far.
    public private(set) var progress: [Double] = []

    /// How often an observation has ended.
    public private(set) var stoppedCount = 0

    /// Called with every event after it was recorded.
    public var onEvent: (ResourceEvent) -> Void = { _ in }

    private var waiting: [(isAwaited: (ResourceEvent) -> Bool, continuation: AsyncStream<Never>.Continuation)] = []

    /// Creates a recorder; add it to a resource, and keep a reference to it.
    public init() {}

    /// The events told so far.
    public var events: [ResourceEvent] { records.map(\.event) }

    /// Forgets what was told so far.
    public func clear() {
        records = []
        progress = []
        stoppedCount = 0
    }

    /// Waits for the next `event` that is told from now on.
    public func next(_ event: ResourceEvent) async {
        await next { $0 == event }
    }

    /// Waits for the next event that passes a test; stops waiting if the task is cancelled, so by a test's time limit.
    public func next(where isAwaited: @escaping (ResourceEvent) -> Bool) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        waiting.append((isAwaited, continuation))
        for await _ in stream {}
    }

    /// Takes down the event, and wakes who waits for it.
    public func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        records.append(
            Record(
                event: event, resource: resource, data: resource.latestData, error: resource.latestError,
                isLoading: resource.isLoading))
        let satisfied = waiting.filter { $0.isAwaited(event) }
        waiting.removeAll { $0.isAwaited(event) }
        onEvent(event)
        for wait in satisfied { wait.continuation.finish() }
    }

    /// Takes down the progress.
    public func resourceRequestProgress(for resource: Resource, progress: Double) {
        self.progress.append(progress)
    }

    /// Counts the end of an observation.
    public func stoppedObserving(resource: Resource) {
        stoppedCount += 1
    }
}

/// It holds entities of any content.
@available(*, unavailable)
extension ObserverRecorder.Record: Sendable {}
