extension Resource {
    /// Replaces ``latestData`` with an entity as if it had been loaded, and clears ``latestError``.
    ///
    /// Use this method for data that the app already knows: preliminary data, or the result of a successful change by
    /// the app. The method also removes the resource's entities from persistent caches. A running load continues. If
    /// the load succeeds, its response replaces this entity. A response with status 304 never confirms this entity,
    /// even if the entity has a validator.
    public func overrideLocalData(with entity: Entity<Any>) {
        MainQueue.check("Resource.overrideLocalData(with:)")
        // The headers of a response say nothing about local data.
        guard entity.cachingInfo == nil else { return overrideLocalData(with: entity.withoutCachingInfo) }
        setLocalData(entity, keepingCaches: false)
    }

    @inline(__always)
    private func setLocalData(_ entity: Entity<Any>, keepingCaches: Bool) {
        let now = context.now
        change { $0.overrideData(entity, at: now) }
        let read = stopReadingCache()
        if !keepingCaches { removeFromCaches() }
        notifyObservers(.newData(.localOverride))
        read?.finish()
    }

    /// Replaces the content of ``latestData``. Keeps the headers, and sets the timestamp to the current time.
    ///
    /// If there is no data, creates an entity with the content type `application/binary`.
    public func overrideLocalContent(with content: Any) {
        MainQueue.check("Resource.overrideLocalContent(with:)")
        overrideLocalContent(with: content, keepingCaches: false)
    }

    /// Does the same. If `keepingCaches` is true, persistent caches keep what the server has sent, and the next start of the
    /// app shows it.
    func overrideLocalContent(with content: Any, keepingCaches: Bool) {
        context.clock.whileCalling {
            var entity = state.data?.withContent(content) ?? Entity(content: content, contentType: "application/binary")
            entity.touch()
            setLocalData(entity.cachingInfo == nil ? entity : entity.withoutCachingInfo, keepingCaches: keepingCaches)
        }
    }

    /// Makes the next ``loadIfNeeded()`` load the resource, even if its data is fresh. The invalidation ends when
    /// new data, a confirmation of the data, or a new error arrives.
    public func invalidate() {
        MainQueue.check("Resource.invalidate()")
        SiestaLog.log(.staleness, [self, "invalidated"])
        record(.invalidated(byDependency: false))
        change { $0.invalidate() }
        observerList?.deliverSilentChange(of: self)
    }

    /// Cancels all requests, removes the data and the error, and reads the persistent caches again.
    ///
    /// The caches keep their entities, so the resource may get its data back from them. When a user signs out, use
    /// ``wipe(includingCaches:)`` instead.
    public func wipe() {
        wipe(includingCaches: false)
    }

    /// Cancels all requests, and removes the data and the error. If `includingCaches` is true, also removes the
    /// resource's entities from persistent caches.
    ///
    /// Responses that still arrive for these requests change neither the resource nor its caches. Observers receive
    /// `.requestCancelled` for each cancelled load, and then `.newData(.wipe)`.
    public func wipe(includingCaches: Bool) {
        MainQueue.check("Resource.wipe()")
        Self.wipe([self], includingCaches ? .caches : .memory)
    }

    /// The extent of a wipe.
    package enum WipeExtent {
        /// Caches keep their entities, and running chains may continue.
        case memory
        /// Caches keep their entities, but responses to earlier requests have no effect: they belong to another principal.
        case principal
        /// The same, and the entities in caches are removed.
        case caches
    }

    /// Wipes all `resources` before any observer is told. An observer may react with a load of another of these
    /// resources, and this load must not be wiped.
    ///
    /// Loads that are started in reaction to a cancellation are not wiped.
    ///
    /// - Parameter others: Additional requests to cancel.
    static func wipe(_ resources: [Resource], and others: [any Request] = [], _ extent: WipeExtent) {
        let wipe = Wipe(resources, and: others, extent)
        wipe.cancelRequests()
        wipe.removeState()
        wipe.announce()
    }

    /// Removes the data because the server has deleted the resource, also from persistent caches. The responses to loads
    /// that have begun do not bring it back. Returns the read in progress; the caller must call ``CacheRead/finish()``.
    ///
    /// - Parameter isOwn: true if this client has deleted the resource.
    package func removeDeletedData(isOwn: Bool = true) -> CacheRead? {
        SiestaLog.log(.stateChanges, [self, "was deleted"])
        let (read, last) = (stopReadingCache(), state.lastLoad)
        change { $0.removeDeletedData() }
        context.feature(Dependencies.self).noteDeletion(of: self)
        if isOwn { noteSettlement(after: last) }
        removeFromCaches(outdatingLoads: true)
        for feature in context.extensions { feature.changeSettled(self, isDoubtful: false) }
        return read
    }

    /// Makes the data stale, because it may differ from that of the server, and tells the features.
    package func becomeStale() {
        change { $0.invalidate() }
        for feature in context.extensions { feature.becameStale(self) }
    }

    /// Tells the pending edits that data which no load has brought replaces the data. `last` is the last load before.
    package func noteSettlement(after last: State.LoadNumber) {
        pendingEdits?.noteSettlement(of: self, after: last)
    }

    fileprivate func removeState(loadsUpTo lastLoad: State.LoadNumber, includingCaches: Bool) -> CacheRead? {
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

extension Resource {
    /// A wipe of several resources, in steps. From its creation on, responses to earlier requests have no effect if the
    /// extent says so.
    @MainActor
    package final class Wipe {
        private let resources: [Resource]
        private let running: [(requests: [any Request], lastLoad: State.LoadNumber)]
        private let cancellations: [() -> Void]
        private let others: [any Request]
        private let extent: WipeExtent
        private var reads: [CacheRead?] = []

        package init(_ resources: [Resource], and others: [any Request], _ extent: WipeExtent) {
            (self.resources, self.others, self.extent) = (resources, others, extent)
            let count = extent == .memory ? nil : WipeCount.advance()
            cancellations =
                resources.first?.context.extensions.compactMap { $0.cancellation(of: resources, extent) } ?? []
            running = resources.map { ($0.loadRequests + $0.allRequests, $0.state.lastLoad) }
            if let count { for resource in resources { resource.lastWipe = count } }
        }

        /// Cancels the work of features before the loads: the end of a load could send the next change.
        package func cancelRequests() {
            for cancel in cancellations { cancel() }
            for request in running.flatMap(\.requests) + others where !request.isCompleted { request.cancel() }
        }

        package func removeState() {
            reads = zip(resources, running).map { resource, running in
                resource.removeState(loadsUpTo: running.lastLoad, includingCaches: extent == .caches)
            }
        }

        package func announce() {
            for resource in resources { resource.notifyObservers(.newData(.wipe)) }
            for read in reads { read?.finish() }
        }
    }
}
