extension Resource {
    /// Adds an observer that owns itself: the resource holds the observer weakly, and the observation ends when the
    /// observer is released.
    ///
    /// The observer receives `.observerAdded` before this method returns, and then each later event. Adding the same
    /// observer again has no effect.
    @discardableResult
    public func addObserver(_ observer: any ResourceObserver & AnyObject) -> Self {
        MainQueue.checkInDebug("Resource.addObserver(_:)")
        guard ensuredObserverList.add(observer, of: self) else { return self }
        hasNewObserver = true
        if SiestaLog.Category.observers.isWatched { noteAdded(observer) }
        context.clock.whileCalling { observer.resourceChanged(self, event: .observerAdded) }
        beginReadingCache()
        for feature in context.extensions { feature.observed(self) }
        return self
    }

    /// Adds an observer that `owner` owns: the resource holds the observer strongly until `owner` is released or passed
    /// to ``removeObservers(ownedBy:)``.
    ///
    /// An observer may have several owners. The observation then lasts until the last owner is released. Swift does not
    /// report the release of an object, so a timer of the service looks for released owners. The resource detects a
    /// release within about one second, or at the next event, whichever is earlier. If `owner` is the observer itself,
    /// this method does the same as ``addObserver(_:)``.
    @discardableResult
    public func addObserver(_ observer: any ResourceObserver, owner: AnyObject) -> Self {
        MainQueue.checkInDebug("Resource.addObserver(_:owner:)")
        if ensuredObserverList.add(observer, owner: owner, of: self) { welcome(observer) }
        return self
    }

    /// Adds a closure as an observer, and keeps it until `owner` is released. Each call adds a new observer.
    @discardableResult
    public func addObserver(
        owner: AnyObject, file: String = #file, line: Int = #line, closure: @escaping ResourceObserverClosure
    ) -> Self {
        addObserver(ClosureObserver(closure: closure, file: file, line: line), owner: owner)
    }

    /// Ends the observations of this resource whose only owner is `owner`. If `owner` is itself an observer, its own
    /// observation also ends.
    public func removeObservers(ownedBy owner: AnyObject?) {
        MainQueue.checkInDebug("Resource.removeObservers(ownedBy:)")
        guard let owner else { return }
        known(ObservationHooks.self)?.remove(ownedBy: owner)
        guard let observerList else { return }
        context.clock.whileCalling { observerList.remove(ownedBy: owner, of: self) }
        for feature in context.extensions { feature.unobserved(self) }
    }

    /// Removes `owner` from the owners of one observer inside the library, which owns itself, too.
    package func removeOwner(_ owner: AnyObject, of observer: any ResourceObserver & AnyObject) {
        guard let observerList else { return }
        context.clock.whileCalling { observerList.remove(owner, of: observer, of: self) }
    }

    /// Adds an observer inside the library that receives all events, but does not count as an observer: nothing is
    /// loaded, polled or kept for it. The resource holds it weakly, and tells it before the other observers.
    package func addPassiveObserver(_ observer: any ResourceObserver & AnyObject) {
        ensuredObserverList.addPassive(observer)
        beginReadingCache()
    }

    package func removePassiveObserver(_ observer: any ResourceObserver & AnyObject) {
        observerList?.removePassive(observer)
    }

    private var ensuredObserverList: ObserverList {
        if let observerList { return observerList }
        let list = ObserverList()
        observerList = list
        return list
    }

    private func welcome(_ observer: any ResourceObserver) {
        hasNewObserver = true
        if SiestaLog.Category.observers.isWatched { noteAdded(observer) }
        context.clock.whileCalling { observer.resourceChanged(self, event: .observerAdded) }
        beginReadingCache()
        for feature in context.extensions { feature.observed(self) }
    }

    /// Ends all observations, because the resource is being dropped.
    func endObservations() {
        guard let observerList else { return }
        context.clock.whileCalling { observerList.removeAll(of: self) }
        known(ObservationHooks.self)?.update()
    }

    /// True if the resource has an observer. Its observers are the objects and closures that the app has added,
    /// iterations over ``states`` or ``events``, selections, and lists that are themselves observed.
    ///
    /// Code that only reads properties is not an observer, even if Observation tracks these properties. Observers whose
    /// owners were released do not count, and reading this property removes them. Observation does not track this
    /// property. To be notified of changes, use ``onObservedChange(owner:closure:)``.
    public var isObserved: Bool {
        MainQueue.checkInDebug("Resource.isObserved")
        return observerList?.hasLiveObserver(of: self) ?? false
    }

    /// Dismisses observers that have lost their owners, and tells them at once. Returns true if it told any observer.
    func settleObservers() -> Bool {
        guard let observerList else { return false }
        return context.clock.whileCalling { observerList.settle(of: self) }
    }

    /// Tells whether the observers require the service to keep this resource. Runs no code of the app.
    var standing: RecencyRegistry<Resource>.Standing {
        switch observerList?.standing {
        case nil, .unobserved: .unused
        case .observed: .kept
        case .unsettled: .unsettled
        }
    }

    @inline(never)
    private func noteAdded(_ observer: any ResourceObserver) {
        let logged = LoggedObserver(observer: observer)
        SiestaLog.log(.observers, [self, "is observed by", logged])
        guard context.activity != nil else { return }
        let name = PreparedText.line(logged.description)
        record(.observerAdded(name))
        if let object = observer.asObject { observerList?.note(name, of: object, self) }
    }

    @inline(never)
    private func noteRemoved(_ observer: any ResourceObserver) {
        let observer = (observer as? OwnedObserver)?.observer ?? observer
        record(.observerRemoved(PreparedText.line(LoggedObserver(observer: observer).description)))
        observerList?.forgetName(of: observer)
    }

    /// Tells an observer that its observation has ended.
    @inline(__always)
    func endObservation(by observer: some ResourceObserver) {
        if SiestaLog.Category.observers.isWatched { noteRemoved(observer) }
        observer.stoppedObserving(resource: self)
    }

    package func notifyObservers(_ event: ResourceEvent) {
        if let activity = context.activity {
            let number = activity.record(.stateChanged(event), of: address)
            return activity.causing(number) { deliver(event) }
        }
        deliver(event)
    }

    @inline(__always)
    private func deliver(_ event: ResourceEvent) {
        guard let observerList else { return }
        SiestaLog.log(.observers, [self, "tells its observers of", event])
        context.clock.whileCalling { observerList.deliver(event, of: self) }
    }

    func notifyObservers(progress: Double) {
        guard let observerList else { return }
        context.clock.whileCalling { observerList.deliver(progress: progress, of: self) }
    }

    func notifyObservers(retry: Retry?) {
        guard let observerList else { return }
        context.clock.whileCalling { observerList.deliver(retry: retry, of: self) }
    }
}
