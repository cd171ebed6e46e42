public import Foundation

extension Resource {
    /// Loads the resource if ``isUpToDate`` is false and no load is running.
    ///
    /// This method is cheap enough to call each time you read the data.
    ///
    /// If a persistent cache is being read, the load first waits until the read is complete:
    ///
    /// - If the data from the cache is fresh, no request is sent. Observers receive `.newData(.cache)` and then
    ///   `.notModified`. The load completes with this data, and ``ResponseInfo/isNew`` is true.
    /// - Otherwise, observers receive `.requested`, and the load sends its request.
    ///
    /// If the resource is invalidated because other data has changed, loads that began before the invalidation do not
    /// count as running; see ``Service/invalidate(tagged:)-(String)``.
    ///
    /// - Returns: The running load, even if another call started it; nil if no load is running and the resource is up
    ///   to date.
    @discardableResult
    public func loadIfNeeded() -> (any Request)? {
        MainQueue.checkInDebug("Resource.loadIfNeeded()")
        return load(unless: { isUpToDateNow })
    }

    /// Returns the load in progress, begins a load that waits for the caches, or begins a load; nil if `isUpToDate` returns
    /// true.
    ///
    /// - Parameter maxAge: The age in seconds up to which data from a cache suffices; nil for the age that is configured.
    @inline(__always)
    func load(unless isUpToDate: () -> Bool, maxAge: TimeInterval? = nil) -> (any Request)? {
        beginReadingCache()
        if state.isLoading, let running = currentLoad {
            if SiestaLog.Category.staleness.isWatched { noteDecision(.joined, "is already loading") }
            if self.running.hasWaitingLoad { running.live?.accept(maxAge: maxAge) }
            return running
        }
        guard !isUpToDate() else {
            if SiestaLog.Category.staleness.isWatched {
                noteDecision(state.error == nil ? .upToDate : .held, "is up to date")
            }
            return nil
        }
        readCacheForOtherVariant()
        if case .inProgress = cacheReading {
            SiestaLog.log(.staleness, [self, "waits for its cache"])
            return beginLoadAfterCache(maxAge: maxAge)
        }
        SiestaLog.log(.staleness, [self, "needs a load"])
        if context.loadReason == .none { context.loadReason = .loadIfNeeded }
        return loadIfAllowed()
    }

    /// Requests the resource, even if its data is fresh, and updates ``latestData`` or ``latestError`` with the result.
    ///
    /// If the current data comes from the server and has a validator, the request is conditional: it contains
    /// `If-None-Match` or `If-Modified-Since` (RFC 9110 §13.1). A validator is an `ETag` or `Last-Modified` header of
    /// at most 1 KB without control characters. If the server responds with 304, but the data was changed locally or is
    /// no longer the version that the condition names, the request is sent once more, without a condition.
    ///
    /// If the response has any other status from 300 to 399, the load fails with
    /// ``RequestError/Code/redirectNotFollowed``. If the response contains only part of the content, and the request
    /// did not ask for a part, the load fails with ``RequestError/Code/unrequestedResponse``.
    ///
    /// The resource updates its state and notifies its observers before the hooks of the returned request run.
    ///
    /// Responses may arrive out of order. The response to a load does not replace any of the following data that
    /// arrived after the load started:
    ///
    /// - The response to a load that started later.
    /// - Data from ``Service/seed(_:for:)``, unless its timestamp is earlier than the start of the load.
    /// - The result of a change, for example one made with `mutate`.
    ///
    /// In these cases, the hooks of the load still receive its response, observers receive `.notModified`, and
    /// ``get(_:)`` returns the newer data. In contrast, the response does replace data that
    /// ``overrideLocalData(with:)`` has set since the load started.
    @discardableResult
    public func load() -> any Request {
        MainQueue.check("Resource.load()")
        let reason = context.takeLoadReason() ?? .load
        beginReadingCache()
        return noting(reason) {
            begin(load: LiveRequest.whileStartingLoad { loadRequest() }, keeping: nil)
        }
    }

    /// Uses a request as a load of this resource: the result of the request becomes the new data or the new error of
    /// the resource. The request may belong to another resource.
    ///
    /// Use this method if the response to a POST or PUT is the new data of the resource. If the request has not been
    /// started, this method starts it.
    @discardableResult
    public func load(using request: any Request) -> any Request {
        MainQueue.check("Resource.load(using:)")
        let reason = context.takeLoadReason() ?? .loadUsingRequest
        guard !running.isLoad(request) else { return request }
        return noting(reason) { begin(load: request, keeping: context.currentService) }
    }

    /// Begins a load. The load keeps `service` alive until its hooks have run, because the request may not reference
    /// the service.
    @discardableResult
    func begin(load request: any Request, keeping service: AnyObject?) -> any Request {
        let time = context.clock.monotonicTime  // The clock may be code of the app.
        guard !running.isLoad(request) else { return request }
        let number = changeNumbers { $0.beginLoad() }
        running.begin(load: number, request, at: time)
        if let request = request.live {
            request.attach(.load(self, number, keeping: service))
        } else {
            request.onProgress { if self.running.hasLoad(number) { self.load(number, progressedTo: $0) } }
            request.onCompletion { info in
                PushOrigin.whileRunningHooks { self.load(number, request, completedWith: info) }
                extendLifetime(service)
            }
        }
        for feature in context.extensions { feature.loadBegan(self) }
        notifyObservers(.requested)
        return LiveRequest.whileStartingLoad { request.start() }
    }

    /// Notes the reason of a load, and begins the load. For listeners, the decision is the cause of all that follows.
    @inline(__always)
    func noting(_ reason: ActivityEvent.LoadReason, _ begin: () -> any Request) -> any Request {
        note(reason)
        guard let activity = context.activity else { return begin() }
        return activity.causing(recordDecision(loadReason, .began), begin)
    }

    /// Notes the reason of a load that begins.
    private func note(_ reason: ActivityEvent.LoadReason) {
        loadReason = reason == .loadIfNeeded && hasNewObserver ? .observer : reason
        hasNewObserver = false
    }

    /// Begins a load that waits for the read of the caches. Observers receive `.requested` when the load asks the
    /// network. Loops over the states of this resource see the load at once.
    func beginLoadAfterCache(maxAge: TimeInterval? = nil) -> any Request {
        note(context.takeLoadReason() ?? .loadIfNeeded)
        let cause = recordDecision(loadReason, .waitsForCache)
        let number = changeNumbers { $0.beginLoad() }
        let work = LoadAfterCache(of: self, load: number, maxAge: maxAge, because: cause)
        let request = LiveRequest(delegate: work, heartbeat: context.heartbeat)
        running.begin(load: number, request, at: .infinity)
        request.attach(.load(work, number, keeping: context.currentService))
        for feature in context.extensions { feature.loadBegan(self) }
        observerList?.deliverSilentChange(of: self)
        return LiveRequest.whileStartingLoad { request.start() }
    }

    /// Returns a new number for a load that has not asked the network yet.
    func takeLoadNumber() -> State.LoadNumber { changeNumbers { $0.takeNumber() } }

    /// The running load that started first, apart from loads that began before an invalidation of dependent data.
    package var currentLoad: (any Request)? { running.firstLoad(after: state.lastOutdatedLoad) }

    /// Throws a cancellation error if the current task is cancelled. Called by asynchronous functions before they start
    /// a load.
    func throwIfTaskIsCancelled() throws(RequestError) {
        if Task.isCancelled { throw context.clock.whileCalling { RequestError.cancelled() } }
    }

    /// If the resource has no observers, cancels its loads, except those that a task is waiting for. A task that waits for a
    /// chain around a load does not count; see ``Request/chained(whenCompleted:)``.
    public func cancelLoadIfUnobserved() {
        MainQueue.check("Resource.cancelLoadIfUnobserved()")
        cancelLoadIfUnobserved(before: .max)
    }

    /// Does the same with the loads that began before the load with this number.
    package func cancelLoadIfUnobserved(before number: State.LoadNumber) {
        guard !isObserved, state.isLoading else { return }
        SiestaLog.log(.network, ["Cancelling loads of unobserved", self])
        for request in running.loads(before: number) where !(request.live?.isAwaited ?? false) { request.cancel() }
    }

    /// Calls ``cancelLoadIfUnobserved()`` after `delay` seconds, and then calls `callback`, even if no load was
    /// cancelled. Use this method if the resource may briefly have no observers.
    public func cancelLoadIfUnobserved(afterDelay delay: TimeInterval, then callback: @escaping () -> Void = {}) {
        context.clock.schedule(after: delay) {
            self.cancelLoadIfUnobserved()
            self.context.clock.whileCalling(callback)
        }
    }

    /// Returns a GET request with a condition. If the current data is up to date, the server does not send it again.
    ///
    /// - Parameter number: the number of the load if it has begun already.
    func loadRequest(number: State.LoadNumber? = nil) -> any Request {
        var recipe = NetworkRequest.Recipe(resource: self, method: .get, isLoad: true, mutation: nil)
        recipe.loadNumber = number
        return request(consume recipe)
    }
}

extension Resource: RequestFollower {
    func ownRequestCompleted(_ request: any Request) {
        endOwn(request)
    }

    func load(_ number: State.LoadNumber, progressedTo progress: Double) {
        guard progress < 1 || observerList != nil else { return }  // The completion of the load follows at once.
        changeNumbers { $0.advance(to: progress) }
        notifyObservers(progress: progress)
    }

    func load(_ number: State.LoadNumber, _ request: any Request, completedWith info: ResponseInfo) {
        if info.unchangedRevision != nil, info.comparison?.resource !== self {
            load(number, request, completedWith: info.asNew())  // The request belongs to another resource.
        } else if isOutdated(info.requested) {
            end(load: number, request, with: context.clock.whileCalling { .cancellation })
        } else if info.isRedirect {
            end(load: number, request, with: context.clock.whileCalling { info.toLoad() })
        } else if info.followsHTTP, resolvedConfiguration(for: .get).httpFreshness == nil {
            end(load: number, request, with: info.withoutCachingInfo())  // The request belongs to another resource.
        } else if info.body?.method == "HEAD" {
            end(load: number, request, with: info.withoutVersion())
        } else {  // Passed without a copy, because a response is large.
            end(load: number, request, with: info)
        }
    }

    private func end(load number: State.LoadNumber, _ request: any Request, with info: ResponseInfo) {
        let begin = running.willEndLoad(request)
        PushOrigin.begin = begin.isFinite ? begin : state.freshness.dataTime  // The load has found data in a cache.
        let now = context.now
        let hasOthers = running.hasLoad(besides: request)
        let progress = hasOthers ? running.loads.filter { $0 !== request }.map(\.progress).max() : nil
        let hasFewerChanges = state.needsEdits && pendingEdits?.loadEnds(number, of: self, with: info) ?? false
        let event = change { state in
            if let progress { state.fallBack(to: progress) }
            return state.endLoad(number, with: info, at: now)
        }
        // Not before: the state says that the load runs while code that tracks the resource is told of the change.
        running.endLoad(request)
        SiestaLog.log(.stateChanges, [self, "received", event, "from", info.response.description])
        for feature in context.extensions { feature.loadEnded(self, event, with: info) }
        notifyObservers(event)
        if hasFewerChanges, event == .notModified { notifyObservers(.newData(.localOverride)) }
    }
}
