public import Foundation

extension Resource {
    /// Loads the resource if its data is missing, outdated or invalidated, unless a load is running already.
    ///
    /// Cheap enough to be called whenever somebody looks at the data.
    ///
    /// - Returns: the load in progress, be it new or not; nil if the resource is up to date.
    @discardableResult
    public func loadIfNeeded() -> (any Request)? {
        MainQueue.checkInDebug("Resource.loadIfNeeded()")
        beginReadingCache()
        if state.isLoading {
            SiestaLog.log(.staleness, [self, "is already loading"])
            return running.firstLoad
        }
        guard !isUpToDateNow else {
            SiestaLog.log(.staleness, [self, "is up to date"])
            return nil
        }
        if case .inProgress = cacheReading {
            SiestaLog.log(.staleness, [self, "waits for its cache"])
            return begin(
                load: LiveRequest(delegate: LoadAfterCache(resource: self), heartbeat: context.heartbeat),
                keeping: context.currentService)
        }
        SiestaLog.log(.staleness, [self, "needs a load"])
        return load()
    }

    /// Requests the resource anew, whatever its state, and updates ``latestData`` or ``latestError`` with the result.
    ///
    /// Sends `If-None-Match` or `If-Modified-Since` (RFC 9110 §13.1) if the current data is the server's, and has an
    /// `ETag` or `Last-Modified` header of at most 1 KB without control characters. Content that was changed locally is
    /// never confirmed by a 304: the server is asked again, once, without a condition. The same if the data is another
    /// version by then than the one that the server was asked about. Any other status from 300 to 399 is the error
    /// ``RequestError/Cause/RedirectNotFollowed``.
    ///
    /// The state is updated, and observers have been told, before the hooks that are attached to the returned request
    /// run.
    ///
    /// Answers may come out of order: one to a load that started before another load whose success is already shown
    /// does not replace that. The earlier load's own hooks still get it, and observers are told `.notModified`. Data
    /// put in place by ``overrideLocalData(with:)`` is no such barrier.
    @discardableResult
    public func load() -> any Request {
        MainQueue.check("Resource.load()")
        beginReadingCache()
        return begin(load: LiveRequest.whileStartingLoad { loadRequest() }, keeping: nil)
    }

    /// Lets the result of any request, also one of another resource, update this resource as a load does.
    ///
    /// Use it to take the answer to a POST or PUT for the new state. The request is started if it has not been yet.
    @discardableResult
    public func load(using request: any Request) -> any Request {
        MainQueue.check("Resource.load(using:)")
        return begin(load: request, keeping: context.currentService)
    }

    /// Begins a load which, until its hooks have run, keeps `service` in case that the request does not.
    private func begin(load request: any Request, keeping service: AnyObject?) -> any Request {
        guard !running.isLoad(request) else { return request }
        let number = change { $0.beginLoad() }
        running.begin(load: number, request)
        if let request = request as? LiveRequest {
            request.attach(.load(self, number, keeping: service))
        } else {
            request.onProgress { if self.running.hasLoad(number) { self.load(number, progressedTo: $0) } }
            request.onCompletion {
                self.load(number, request, completedWith: $0)
                extendLifetime(service)
            }
        }
        notifyObservers(.requested)
        return LiveRequest.whileStartingLoad { request.start() }
    }

    /// Waits for data that is up to date: returns what is there if that is, and loads it otherwise, or waits for the
    /// load in progress.
    ///
    /// The same as ``loadIfNeeded()`` for a task. Cancellation is that of ``Request/value``. A task that is cancelled
    /// already starts no load.
    ///
    /// - Throws: why the load failed; the last failure if that is more recent than ``Configuration/retryTime``, without
    ///   trying again.
    public func fresh() async throws(RequestError) -> Entity<Any> {
        if !state.isLoading, !isUpToDateNow { try throwIfTaskIsCancelled() }
        if let load = loadIfNeeded() { return try await load.value }
        if let error = state.error { throw error }
        if let data = state.data { return data }
        return try await load().value  // Up to date without either: not possible, and if it were, this would be right.
    }

    /// Ends an asynchronous function that is about to start a load in a task that is cancelled.
    func throwIfTaskIsCancelled() throws(RequestError) {
        if Task.isCancelled { throw context.clock.whileCurrent { RequestError.cancelled() } }
    }

    /// Cancels all loads in progress for which no task waits, if nobody observes the resource.
    public func cancelLoadIfUnobserved() {
        MainQueue.check("Resource.cancelLoadIfUnobserved()")
        guard !isObserved, state.isLoading else { return }
        SiestaLog.log(.network, ["Cancelling loads of unobserved", self])
        for request in loadRequests where !((request as? LiveRequest)?.isAwaited ?? false) { request.cancel() }
    }

    /// Does the same after a delay in seconds, to bridge the moment between one observer and the next; then calls
    /// `callback`, in any case.
    public func cancelLoadIfUnobserved(afterDelay delay: TimeInterval, then callback: @escaping () -> Void = {}) {
        context.clock.schedule(after: delay) {
            self.cancelLoadIfUnobserved()
            self.context.clock.whileCurrent(callback)
        }
    }

    /// A GET that asks for nothing if the present data is still right.
    func loadRequest() -> any Request {
        request(NetworkRequest.Recipe(resource: self, method: .get, isConditional: true, mutation: nil))
    }
}

extension Resource: RequestFollower {
    func ownRequestCompleted(_ request: any Request) {
        endOwn(request)
    }

    func load(_ number: State.LoadNumber, progressedTo progress: Double) {
        guard progress < 1 || observerList != nil else { return }  // Its end, which follows at once, says the same.
        change { $0.advance(to: progress) }
        notifyObservers(progress: progress)
    }

    func load(_ number: State.LoadNumber, _ request: any Request, completedWith info: ResponseInfo) {
        if isOutdated(info.requested) {
            end(load: number, request, with: .cancellation)
        } else if info.redirectStatus != 0 {
            end(load: number, request, with: info.toLoad(context.clock))
        } else {  // Without a copy, since a response is large.
            end(load: number, request, with: info)
        }
    }

    private func end(load number: State.LoadNumber, _ request: any Request, with info: ResponseInfo) {
        running.endLoad(request)
        let now = context.now
        let progress = running.hasLoad ? running.loads.map(\.progress).max() : nil
        let event = change { state in
            if let progress { state.fallBack(to: progress) }
            return state.endLoad(number, with: info, at: now)
        }
        SiestaLog.log(.stateChanges, [self, "received", event, "from", info.response.description])
        notifyObservers(event)
    }
}

/// A load that first waits for the persistent cache, and goes to the network only if that does not bring the resource
/// up to date.
@MainActor
private final class LoadAfterCache: DependentRequestDelegate {
    private let resource: Resource
    private let made = WipeCount.now
    private var load: (any Request)?
    private var isCancelled = false

    init(resource: Resource) {
        self.resource = resource
    }

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        resource.whenCacheIsRead { [self] in
            guard !isCancelled else { return }
            guard !resource.isOutdated(made) else { return completionHandler.broadcastResponse(.cancellation) }
            if resource.isUpToDateNow, let entity = resource.state.data {
                return completionHandler.broadcastResponse(.alreadyKnown(entity))
            }
            let load = resource.loadRequest()
            if let error = RequestLineage.errorIfCircular(completionHandler, load) {
                return completionHandler.broadcastResponse(ResponseInfo(response: .failure(error)))
            }
            self.load = load
            load.onCompletion {
                completionHandler.broadcastResponse($0)
            } whileWanted: { [self] in
                !isCancelled
            }
        }
    }

    func cancelUnderlyingOperation() {
        isCancelled = true
        load?.cancel()
    }

    func abandonUnderlyingOperation() {
        isCancelled = true
        load?.cancelIfUnwanted()
    }

    func repeated() -> any RequestDelegate { LoadAfterCache(resource: resource) }
    func computeProgress() -> Double { load?.progress ?? 0 }
    var awaited: (any Request)? { load }
    var requestName: String { RequestLineage.Key(address: resource.address, method: "GET").description }
    var requestDescription: String { "Load after cache read of \(resource)" }
}
