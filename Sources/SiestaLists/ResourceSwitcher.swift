import Observation
public import SiestaCore

/// An observer that shows one resource at a time, and can switch to another resource. After a switch, the observer
/// shows the content of the previous resource until the next resource has content or an error.
///
///     profile.resource = service.resource("/users/42", as: User.self)
///     profile.addObserver(owner: self) { _, state in show(state.content?.name, isBusy: state.isPrevious) }
///
/// Use a switcher for a screen that shows one of many resources, for example a page with buttons for the next and the
/// previous user. The screen then does not become empty at each switch. ``State/isPrevious`` marks the content of the
/// previous resource.
///
/// - The previous content is shown until the next resource has content or an error. A placeholder of the next resource
///   counts as content.
/// - If the app switches several times before a resource has content, the content that was shown last stays.
/// - If ``resource`` becomes nil, nothing is shown.
/// - If the previous resource is wiped, for example because the user has signed out, its content is no longer shown.
///
/// A switcher does not load its resource: call ``loadIfNeeded()`` after a switch. While a switcher exists, it counts as
/// an observer of the current resource. It also counts as an observer of the previous resource while it shows the
/// content of that resource. Use a switcher on the main actor. A task that does not run on the main actor can iterate
/// over ``states``.
@MainActor
public final class ResourceSwitcher<Content: Sendable> {
    private let core: SwitcherCore<Content>

    /// The content that a switcher shows, and the resource that it belongs to.
    public struct State: Sendable {
        /// The content of the current or of the previous resource; nil if neither resource has content.
        public internal(set) var content: Content?

        /// True if ``content`` belongs to the previous resource.
        public internal(set) var isPrevious = false

        /// The resource to which ``content`` belongs; nil if there is no content.
        public internal(set) var source: TypedResource<Content>?

        /// A snapshot of the current resource, including its latest error; nil if there is no current resource.
        public internal(set) var current: TypedResource<Content>.Snapshot?
    }

    /// Creates a switcher that shows a resource, or nothing if `resource` is nil.
    public init(_ resource: TypedResource<Content>? = nil) {
        MainQueue.checkInDebug("ResourceSwitcher.init(_:)")
        core = SwitcherCore()
        core.show(resource)
    }

    /// The current resource. Setting this property switches to another resource. Observation tracks this property.
    public var resource: TypedResource<Content>? {
        get {
            core.observed.track()
            return core.current
        }
        set {
            MainQueue.checkInDebug("ResourceSwitcher.resource")
            core.show(newValue)
        }
    }

    /// The content that the switcher shows now, with its resource. Observation tracks this property.
    public var state: State {
        MainQueue.checkInDebug("ResourceSwitcher.state")
        core.observed.track()
        return core.present
    }

    /// The content of the current or of the previous resource; see ``State/content``.
    public var content: Content? { state.content }

    /// True if ``content`` belongs to the previous resource.
    public var isPrevious: Bool { state.isPrevious }

    /// An asynchronous sequence of the current state and each later state. Any number of loops can iterate over it
    /// concurrently.
    ///
    /// Each iteration receives the current state at once, and then the newest state after each change. A slow consumer
    /// receives only the newest state. An iteration keeps the switcher in memory, and ends when the loop exits or the
    /// task is cancelled.
    public nonisolated var states: some AsyncSequence<State, Never> & Sendable {
        ViewValues(observed: core.observed, view: core)
    }

    /// Loads the current resource if it is not up to date, and returns the request; see ``Resource/loadIfNeeded()``.
    /// Returns nil if no load is needed, or if there is no current resource.
    @discardableResult
    public func loadIfNeeded() -> (any Request)? {
        core.current?.loadIfNeeded()
    }

    /// Adds a closure as an observer until `owner` or the switcher is released. Each call adds a new observer.
    ///
    /// The closure runs on the main thread. It receives the switcher and the current state before this method returns,
    /// and then each new state.
    @discardableResult
    public func addObserver(
        owner: AnyObject, closure: @escaping (ResourceSwitcher<Content>, State) -> Void
    ) -> Self {
        MainQueue.checkInDebug("ResourceSwitcher.addObserver(owner:closure:)")
        core.observed.add(owner: owner, with: core.present) { [weak self] state in
            // An observer that was told before may have wiped the content.
            if let self { closure(self, core.present(insteadOf: state)) }
        }
        return self
    }

    /// Removes the closures that `owner` owns. The removed closures are not called again.
    public func removeObservers(ownedBy owner: AnyObject?) {
        MainQueue.checkInDebug("ResourceSwitcher.removeObservers(ownedBy:)")
        if let owner { core.observed.remove(ownedBy: owner) }
    }
}

/// The observer of a switcher's resources.
@MainActor
final class SwitcherCore<Content: Sendable>: SilentChangeObserver {
    typealias State = ResourceSwitcher<Content>.State

    let observed = ObservedValue(State())
    private(set) var current: TypedResource<Content>?
    /// The resource whose content is shown until the current resource has content.
    private var previous: TypedResource<Content>?
    private var observedResources: [Resource] = []
    private var updateCount = 0

    func show(_ resource: TypedResource<Content>?) {
        guard resource != current else { return }
        let shown = observed.current.source
        let old = (current, previous)
        current = resource
        previous = shown
        update()
        withExtendedLifetime(old) {}
    }

    /// Computes the state, and observes the resources on which it depends. Code of the app may run in each step, and may
    /// switch again.
    private func update() {
        updateCount += 1
        let count = updateCount
        let unused = needsPrevious ? nil : exchange(&previous, with: nil)
        observeResources { count == self.updateCount }
        withExtendedLifetime(unused) {}
        guard count == updateCount else { return }
        observed.set { newState }
        observed.deliver()
    }

    private var needsPrevious: Bool {
        guard let previous, let current else { return false }
        let (next, old) = (current.snapshot, previous.snapshot)
        return next.content == nil && next.error == nil && old.content != nil && !old.isPlaceholder
    }

    /// The state to show now, untracked.
    var present: State { present(insteadOf: observed.current) }

    /// Returns the state to show now in place of one that may be out of date.
    func present(insteadOf state: State) -> State {
        // The data was wiped, and the switcher has not been told yet.
        guard let source = state.source, !source.resource.hasShownData else { return state }
        return newState
    }

    private var newState: State {
        let snapshot = current?.snapshot
        guard snapshot?.content == nil, needsPrevious, let previous else {
            return State(
                content: snapshot?.content, source: snapshot?.content == nil ? nil : current, current: snapshot)
        }
        return State(content: previous.snapshot.content, isPrevious: true, source: previous, current: snapshot)
    }

    /// - Parameter isCurrent: false if code of the app has caused another update, which observes other resources.
    private func observeResources(while isCurrent: () -> Bool) {
        let wanted = [current?.resource, previous?.resource].compactMap { $0 }
        for resource in observedResources where isCurrent() && !wanted.contains(resource) {
            observedResources.removeAll { $0 == resource }
            resource.removeObservers(ownedBy: self)
        }
        for resource in wanted where isCurrent() && !observedResources.contains(resource) {
            observedResources.append(resource)
            resource.addObserver(self)
        }
    }

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        if event != .observerAdded { update() }
    }

    func resourceRequestProgress(for resource: Resource, progress: Double) {
        if progress < 1 { update() }
    }

    func resourceRetryChanged(_ resource: Resource, retry: Resource.Retry?) { update() }

    func resourceChangedSilently(_ resource: Resource) { update() }
}
