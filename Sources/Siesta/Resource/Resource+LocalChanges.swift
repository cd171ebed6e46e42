extension Resource {
    /// Puts an entity in place of ``latestData`` as if it had been loaded, and clears ``latestError``.
    ///
    /// For what the app knows already: a placeholder, or the state after its own successful change. Entries in
    /// persistent caches are removed. A load in progress goes on, and replaces this entity when it succeeds; the server
    /// never confirms it, whatever validators it has.
    public func overrideLocalData(with entity: Entity<Any>) {
        MainQueue.check("Resource.overrideLocalData(with:)")
        let now = context.now
        change { $0.overrideData(entity, at: now) }
        let read = stopReadingCache()
        removeFromCaches()
        notifyObservers(.newData(.localOverride))
        read?.finish()
    }

    /// Changes the content of ``latestData`` and keeps its headers; the timestamp becomes now.
    ///
    /// Without data the new entity's content type is `application/binary`.
    public func overrideLocalContent(with content: Any) {
        MainQueue.check("Resource.overrideLocalContent(with:)")
        guard let old = state.data else {
            return context.clock.whileCurrent {
                overrideLocalData(with: Entity(content: content, contentType: "application/binary"))
            }
        }
        var entity = old.withContent(content)
        entity.timestamp = context.clock.wallTime
        overrideLocalData(with: entity)
    }

    /// Makes the next ``loadIfNeeded()`` load, however fresh the data is, until data or error has changed.
    public func invalidate() {
        MainQueue.check("Resource.invalidate()")
        SiestaLog.log(.staleness, [self, "invalidated"])
        change { $0.invalidate() }
        observerList?.deliverInvalidation(of: self)
    }

    /// Cancels all requests, forgets data and error, and looks into the persistent caches again.
    ///
    /// What those hold comes back. To log a user out, use ``wipe(includingCaches:)``.
    public func wipe() {
        wipe(includingCaches: false)
    }

    /// Cancels all requests and forgets data and error; with `includingCaches` also what persistent caches hold.
    ///
    /// No response that is still under way touches the resource or its caches. Observers get `.requestCancelled` for
    /// each cancelled load and then `.newData(.wipe)`.
    public func wipe(includingCaches: Bool) {
        MainQueue.check("Resource.wipe()")
        Self.wipe([self], includingCaches: includingCaches)
    }

    /// Wipes all `resources` before any observer hears of it: one that loads another resource then does not see that
    /// wiped, too.
    ///
    /// Loads that somebody starts on hearing of a cancellation are not part of what is wiped.
    ///
    /// - Parameter others: requests that are to be cancelled, too.
    static func wipe(_ resources: [Resource], and others: [any Request] = [], includingCaches: Bool) {
        let count = includingCaches ? WipeCount.advance() : nil
        let running = resources.map { (requests: $0.loadRequests + $0.allRequests, lastLoad: $0.state.lastLoad) }
        if let count { for resource in resources { resource.lastWipe = count } }
        for request in running.flatMap(\.requests) + others where !request.isCompleted { request.cancel() }
        let reads = zip(resources, running).map { resource, running in
            resource.forget(loadsUpTo: running.lastLoad, includingCaches: includingCaches)
        }
        for resource in resources { resource.notifyObservers(.newData(.wipe)) }
        for read in reads { read?.finish() }
    }

    private func forget(loadsUpTo lastLoad: State.LoadNumber, includingCaches: Bool) -> CacheRead? {
        SiestaLog.log(.stateChanges, [self, "wiped"])
        change { $0.wipe(loadsUpTo: lastLoad) }
        if includingCaches { removeFromCaches() }
        defer {
            if !isInvalid { cacheReading = .notStarted }
            beginReadingCache()
        }
        return stopReadingCache()
    }
}
