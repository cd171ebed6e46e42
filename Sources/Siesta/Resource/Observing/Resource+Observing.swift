extension Resource {
    /// Adds an observer that keeps itself: it is held weakly, and gone when nobody else refers to it.
    ///
    /// It gets `.observerAdded` before this returns, and from then on every event. Adding the same observer twice has
    /// no effect.
    @discardableResult
    public func addObserver(_ observer: any ResourceObserver & AnyObject) -> Self {
        MainQueue.checkInDebug("Resource.addObserver(_:)")
        guard ensuredObserverList.add(observer, of: self) else { return self }
        SiestaLog.log(.observers, [self, "is observed by", LoggedObserver(observer: observer)])
        context.clock.whileCurrent { observer.resourceChanged(self, event: .observerAdded) }
        beginReadingCache()
        return self
    }

    /// Adds an observer that `owner` keeps: it is held strongly until `owner` is gone or ``removeObservers(ownedBy:)``
    /// is called.
    ///
    /// An observer may have several owners, and stays until the last is gone. That an owner is gone is noticed at the
    /// next event at the latest. With the observer itself for the owner, this is ``addObserver(_:)``.
    @discardableResult
    public func addObserver(_ observer: any ResourceObserver, owner: AnyObject) -> Self {
        MainQueue.checkInDebug("Resource.addObserver(_:owner:)")
        if ensuredObserverList.add(observer, owner: owner, of: self) { welcome(observer) }
        return self
    }

    /// Adds a closure as an observer, until `owner` is gone. Each call adds another one.
    @discardableResult
    public func addObserver(
        owner: AnyObject, file: String = #file, line: Int = #line, closure: @escaping ResourceObserverClosure
    ) -> Self {
        addObserver(ClosureObserver(closure: closure, file: file, line: line), owner: owner)
    }

    /// Ends the observations that `owner` keeps and no one else does; also those by `owner` itself.
    public func removeObservers(ownedBy owner: AnyObject?) {
        MainQueue.checkInDebug("Resource.removeObservers(ownedBy:)")
        guard let owner, let observerList else { return }
        context.clock.whileCurrent { observerList.remove(ownedBy: owner, of: self) }
    }

    private var ensuredObserverList: ObserverList {
        if let observerList { return observerList }
        let list = ObserverList()
        observerList = list
        return list
    }

    private func welcome(_ observer: any ResourceObserver) {
        SiestaLog.log(.observers, [self, "is observed by", LoggedObserver(observer: observer)])
        context.clock.whileCurrent { observer.resourceChanged(self, event: .observerAdded) }
        beginReadingCache()
    }

    /// Ends all observations, since the resource goes.
    func endObservations() {
        guard let observerList else { return }
        context.clock.whileCurrent { observerList.removeAll(of: self) }
    }

    /// Whether anybody observes. Observers that are found to have lost their owners are let go of, which may run any
    /// code.
    var isObserved: Bool { observerList?.hasLiveObserver(of: self) ?? false }

    /// Whether its observers let the service drop this resource. Runs no code of the app.
    var standing: RecencyRegistry<Resource>.Standing {
        switch observerList?.standing {
        case nil, .unobserved: .unused
        case .observed: .kept
        case .unsettled: .unsettled
        }
    }

    func notifyObservers(_ event: ResourceEvent) {
        guard let observerList else { return }
        SiestaLog.log(.observers, [self, "tells its observers of", event])
        context.clock.whileCurrent { observerList.deliver(event, of: self) }
    }

    func notifyObservers(progress: Double) {
        guard let observerList else { return }
        context.clock.whileCurrent { observerList.deliver(progress: progress, of: self) }
    }
}
