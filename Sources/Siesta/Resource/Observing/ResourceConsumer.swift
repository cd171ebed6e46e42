/// What a consumer of a resource's changes has not taken yet. Pure.
@MainActor
protocol ConsumerBacklog {
    associatedtype Element: Sendable

    /// Takes note of an event.
    mutating func add(_ event: ResourceEvent)

    /// Takes note of progress, or of an invalidation, which are no events.
    mutating func addSilentChange()

    /// What is next; nil if the consumer has to wait.
    mutating func next(of resource: Resource) -> Element?
}

/// Observes a resource for one iteration over its changes, and makes the iterating task wait when there are none.
///
/// The iterator alone keeps it, so that the observation ends with the iteration.
@MainActor
final class ResourceConsumer<Backlog: ConsumerBacklog & Sendable>: InvalidationObserver {
    private let resource: Resource
    private var backlog: Backlog
    private var phase = Phase.notStarted
    private var waiting: CheckedContinuation<Backlog.Element?, Never>?

    private enum Phase { case notStarted, observing, ended }

    /// Begins to observe at once if the caller is on the main actor, else when the first element is asked for.
    nonisolated init(_ resource: Resource, _ backlog: Backlog) {
        self.resource = resource
        self.backlog = backlog
        if MainQueue.isCurrent { MainActor.assumeIsolated { start() } }
    }

    /// The next element; nil once the task is cancelled.
    func next() async -> Backlog.Element? {
        start()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting?.resume(returning: nil)
                waiting = continuation
                if Task.isCancelled { end() }
                serve()
            }
        } onCancel: {
            MainQueue.async { self.end() }
        }
    }

    private func start() {
        guard phase == .notStarted else { return }
        phase = .observing
        resource.addObserver(self)
    }

    private func end() {
        phase = .ended
        resource.removeObservers(ownedBy: self)
        serve()
    }

    private func serve() {
        guard let waiting else { return }
        let element = phase == .ended ? nil : backlog.next(of: resource)
        guard element != nil || phase == .ended else { return }
        self.waiting = nil
        waiting.resume(returning: element)
    }

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        if event == .observerAdded { return }
        backlog.add(event)
        serve()
    }

    func resourceRequestProgress(for resource: Resource, progress: Double) {
        backlog.addSilentChange()
        serve()
    }

    func resourceInvalidated() {
        backlog.addSilentChange()
        serve()
    }
}
