public import SiestaCore

/// An observer that records all calls that it receives, and lets a test wait for events.
@MainActor
public final class ObserverRecorder: ResourceObserver {
    /// One event, and the state of the resource at that time.
    public struct Record {
        /// The event that the observer received.
        public let event: ResourceEvent
        /// The resource to which the event belongs.
        public let resource: Resource
        /// The data of the resource when the event occurred.
        public let data: Entity<Any>?
        /// The error of the resource when the event occurred.
        public let error: RequestError?
        /// True if a load was running when the event occurred.
        public let isLoading: Bool
    }

    /// The events so far with the state of the resource, in order.
    public private(set) var records: [Record] = []

    /// The progress reported so far, in order.
    public private(set) var progress: [Double] = []

    /// The number of observations that have ended.
    public private(set) var stoppedCount = 0

    /// A closure that is called after each event has been recorded.
    public var onEvent: (ResourceEvent) -> Void = { _ in }

    private struct Wait {
        let number: Int
        let isAwaited: (ResourceEvent) -> Bool
        let continuation: AsyncStream<Never>.Continuation
    }

    private var waiting: [Wait] = []
    private var waitCount = 0

    /// Creates a recorder. Add the recorder to a resource, and keep a reference to the recorder.
    public init() {}

    /// The events so far, without the state of the resource.
    public var events: [ResourceEvent] { records.map(\.event) }

    /// Removes all records and progress values, and resets the number of ended observations.
    public func clear() {
        records = []
        progress = []
        stoppedCount = 0
    }

    /// Waits until `event` occurs. Events before this call do not count.
    public func next(_ event: ResourceEvent) async {
        await next { $0 == event }
    }

    /// Waits for the next event for which `isAwaited` returns true. If the waiting task is cancelled, for example by a
    /// test's time limit, the wait ends.
    public func next(where isAwaited: @escaping (ResourceEvent) -> Bool) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        waitCount += 1
        waiting.append(Wait(number: waitCount, isAwaited: isAwaited, continuation: continuation))
        for await _ in stream {}
    }

    /// Records the event and resumes tasks that wait for it.
    public func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        records.append(
            Record(
                event: event, resource: resource, data: resource.latestData, error: resource.latestError,
                isLoading: resource.isLoading))
        let all = waiting  // The closures are code of the test, which may cause another event.
        let satisfied = all.filter { $0.isAwaited(event) }
        waiting.removeAll { wait in satisfied.contains { $0.number == wait.number } }
        onEvent(event)
        for wait in satisfied { wait.continuation.finish() }
    }

    /// Records the reported progress.
    public func resourceRequestProgress(for resource: Resource, progress: Double) {
        self.progress.append(progress)
    }

    /// Counts the end of an observation.
    public func stoppedObserving(resource: Resource) {
        stoppedCount += 1
    }
}

/// Not sendable, because a record holds entities of any content.
@available(*, unavailable)
extension ObserverRecorder.Record: Sendable {}
