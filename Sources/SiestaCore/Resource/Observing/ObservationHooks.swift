extension Resource {
    /// Calls a closure each time the resource gets its first observer or loses its last observer, until `owner` is
    /// released.
    ///
    ///     room.onObservedChange(owner: self) { room, isObserved in
    ///         print(isObserved ? "join" : "leave", room.url.path)
    ///     }
    ///
    /// The closure is called on the main thread, with the resource and the new value of ``isObserved``. If the resource
    /// is already observed, the first call happens before this method returns. If an observation ends because the
    /// observer or its owner was released, the resource detects the end within about one second.
    ///
    /// The closure itself is not an observer, and does not keep the resource in memory. The app must therefore keep a
    /// reference to the resource.
    ///
    /// ``removeObservers(ownedBy:)`` also removes the closures that `owner` owns.
    @discardableResult
    public func onObservedChange(owner: AnyObject, closure: @escaping (Resource, Bool) -> Void) -> Self {
        MainQueue.checkInDebug("Resource.onObservedChange(owner:closure:)")
        _ = context.feature(ObservationWatch.self)
        let hooks = extended(with: ObservationHooks(self))
        hooks.add(owner: owner, closure)
        context.watchOwners(of: hooks)
        return self
    }
}

/// The closures that are told when a resource gets its first observer, and when it has lost its last one.
final class ObservationHooks: ResourceExtension, OwnerHolder {
    private final class Hook {
        private(set) weak var owner: AnyObject?
        let closure: (Resource, Bool) -> Void
        var isRemoved = false

        init(_ owner: AnyObject, _ closure: @escaping (Resource, Bool) -> Void) {
            (self.owner, self.closure) = (owner, closure)
        }
    }

    private weak var resource: Resource?
    private var hooks: [Hook] = []
    /// The value that the closures were told last.
    private var isObserved = false
    private var isTelling = false

    init(_ resource: Resource) {
        self.resource = resource
    }

    func add(owner: AnyObject, _ closure: @escaping (Resource, Bool) -> Void) {
        update()
        let hook = Hook(owner, closure)
        hooks.append(hook)
        if isObserved { tell(hook) }
    }

    func remove(ownedBy owner: AnyObject?) {
        let old = hooks
        let owners = old.map { $0.owner }
        for (hook, known) in zip(old, owners) where known == nil || known === owner { hook.isRemoved = true }
        hooks = old.filter { !$0.isRemoved }
        withExtendedLifetime((old, owners)) {}  // Their release may run code of the app.
    }

    /// Tells the closures whether the resource is observed, if this has changed.
    ///
    /// A closure may add and remove observers. Two closures that undo each other's work have a limited number of rounds.
    func update() {
        guard !isTelling, let resource else { return }
        isTelling = true
        defer { isTelling = false }
        for _ in 0..<16 {
            let isObservedNow = resource.isObserved
            guard isObservedNow != isObserved else { return }
            isObserved = isObservedNow
            for hook in hooks { tell(hook) }
        }
    }

    private func tell(_ hook: Hook) {
        guard let resource, !hook.isRemoved, hook.owner != nil else { return }
        let isObserved = isObserved
        resource.context.clock.whileCalling { hook.closure(resource, isObserved) }
    }

    func dismissReleasedOwners() -> Bool {
        remove(ownedBy: nil)
        update()
        return !hooks.isEmpty
    }
}

/// Tells the ``ObservationHooks`` of resources of their observers.
private final class ObservationWatch: ServiceExtension {
    init(context: ResourceContext) {}

    func observed(_ resource: Resource) { resource.known(ObservationHooks.self)?.update() }

    func unobserved(_ resource: Resource) { resource.known(ObservationHooks.self)?.update() }
}
