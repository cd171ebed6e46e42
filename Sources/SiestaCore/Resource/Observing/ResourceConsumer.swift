/// The changes of a resource that its consumer has not received yet. Pure.
@MainActor
protocol ConsumerBacklog {
    associatedtype Element: Sendable

    mutating func add(_ event: ResourceEvent)

    /// Records a change that is not an event: progress, an invalidation, the wait of a request, or the start
    /// of a load that waits for a cache.
    mutating func addSilentChange()

    /// Returns the next element; nil if the consumer has to wait.
    mutating func next(of resource: Resource) -> Element?

    /// Returns the element that a task receives instead of `element` when it continues. The resource may have been wiped
    /// since the task was woken.
    mutating func renewed(_ element: Element, of resource: Resource) -> Element
}

/// Something that a feature does while an iteration receives the changes of a resource.
@MainActor
package protocol ConsumerCompanion: Sendable {
    func began(_ resource: Resource, owner: AnyObject)
    func ended(_ resource: Resource, owner: AnyObject)
}

/// The observer of a resource for one iteration over its changes. The iterating task waits in this object while there
/// are no changes.
///
/// Only the iterator references this object. Therefore the observation ends with the iteration.
@MainActor
final class ResourceConsumer<Backlog: ConsumerBacklog & Sendable>: SilentChangeObserver {
    private let resource: Resource
    private var backlog: Backlog
    private let companion: (any ConsumerCompanion)?
    private var phase = Phase.notStarted
    private var waiting: CheckedContinuation<Backlog.Element?, Never>?

    private enum Phase { case notStarted, observing, ended }

    /// Creates the observer. On the main actor, the observation begins at once; elsewhere, it begins when the first
    /// element is requested.
    nonisolated init(_ resource: Resource, _ backlog: Backlog, _ companion: (any ConsumerCompanion)? = nil) {
        self.companion = companion
        self.resource = resource
        self.backlog = backlog
        if MainQueue.isCurrent { MainActor.assumeIsolated { start() } }
    }

    /// Waits for the next element. Returns nil if the task is cancelled.
    func next() async -> Backlog.Element? {
        start()
        let element = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting?.resume(returning: nil)
                waiting = continuation
                if Task.isCancelled { end() }
                serve()
            }
        } onCancel: {
            MainQueue.async { self.end() }
        }
        return element.map { backlog.renewed($0, of: resource) }
    }

    private func start() {
        guard phase == .notStarted else { return }
        phase = .observing
        resource.addObserver(self)
        companion?.began(resource, owner: self)
    }

    private func end() {
        phase = .ended
        resource.removeObservers(ownedBy: self)
        companion?.ended(resource, owner: self)
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

    /// Ignores the end of the progress, because the event of the completed load follows at once.
    func resourceRequestProgress(for resource: Resource, progress: Double) {
        guard progress < 1 else { return }
        backlog.addSilentChange()
        serve()
    }

    func resourceRetryChanged(_ resource: Resource, retry: Resource.Retry?) {
        backlog.addSilentChange()
        serve()
    }

    func resourceChangedSilently(_ resource: Resource) {
        backlog.addSilentChange()
        serve()
    }
}
