public import Foundation

extension Resource {
    /// Loads the resource if its data is missing, stale or invalidated, unless a load is already running.
    ///
    /// Cheap enough to be called each time that the data is read.
    ///
    /// - Returns: The load in progress, whether or not this call started it; nil if the resource is up to date.
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

    /// Requests the resource, whatever its state, and updates ``latestData`` or ``latestError`` with the result.
    ///
    /// If the current data comes from the server and has a validator, the request has a condition: `If-None-Match` or
    /// `If-Modified-Since` (RFC 9110 §13.1). The validator is an `ETag` or `Last-Modified` header of at most 1 KB
    /// without control characters. A 304 never confirms content that was changed locally, or data that is another
    /// version than the one in the condition by then. In these cases, the request is sent once more, without a
    /// condition. Any other status from 300 to 399 fails with ``RequestError/Cause/RedirectNotFollowed``.
    ///
    /// When the hooks of the returned request run, the state has been updated, and the observers have been told.
    ///
    /// Responses may arrive out of order. If a load succeeds, the responses to loads that started earlier do not
    /// replace its data. The hooks of an earlier load still receive its response, and observers receive `.notModified`.
    /// Data that was set by ``overrideLocalData(with:)`` is replaced even by the response to a load that started
    /// before.
    @discardableResult
    public func load() -> any Request {
        MainQueue.check("Resource.load()")
        beginReadingCache()
        return begin(load: LiveRequest.whileStartingLoad { loadRequest() }, keeping: nil)
    }

    /// Makes the result of any request, even of a request to another resource, update this resource as a load does.
    ///
    /// Use it if the response to a POST or PUT is the new state of the resource. Starts the request if it has not been
    /// started.
    @discardableResult
    public func load(using request: any Request) -> any Request {
        MainQueue.check("Resource.load(using:)")
        return begin(load: request, keeping: context.currentService)
    }

    /// Begins a load. The load keeps `service` alive until its hooks have run, in case the request does not.
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

    /// Waits for fresh data. Returns the current data if it is fresh. Otherwise loads the resource, or waits for the
    /// load in progress.
    ///
    /// Works as ``loadIfNeeded()``, for use in a task. Cancellation works as for ``Request/value``. A task that is
    /// already cancelled starts no load.
    ///
    /// - Throws: The error of the load. If the last load failed less than ``Configuration/retryTime`` ago, its error,
    ///   without another attempt.
    public func fresh() async throws(RequestError) -> Entity<Any> {
        if !state.isLoading, !isUpToDateNow { try throwIfTaskIsCancelled() }
        if let load = loadIfNeeded() { return try await load.value }
        if let error = state.error { throw error }
        if let data = state.data { return data }
        return try await load().value  // Not reachable: up to date without data and error.
    }

    /// Throws a cancellation if the current task is cancelled. Called by asynchronous functions before they start a
    /// load.
    func throwIfTaskIsCancelled() throws(RequestError) {
        if Task.isCancelled { throw context.clock.whileCurrent { RequestError.cancelled() } }
    }

    /// Cancels all loads in progress for which no task waits, unless the resource has observers.
    public func cancelLoadIfUnobserved() {
        MainQueue.check("Resource.cancelLoadIfUnobserved()")
        guard !isObserved, state.isLoading else { return }
        SiestaLog.log(.network, ["Cancelling loads of unobserved", self])
        for request in loadRequests where !((request as? LiveRequest)?.isAwaited ?? false) { request.cancel() }
    }

    /// Calls ``cancelLoadIfUnobserved()`` after a delay in seconds, and then `callback` in any case. The delay allows
    /// for a short time without observers.
    public func cancelLoadIfUnobserved(afterDelay delay: TimeInterval, then callback: @escaping () -> Void = {}) {
        context.clock.schedule(after: delay) {
            self.cancelLoadIfUnobserved()
            self.context.clock.whileCurrent(callback)
        }
    }

    /// Returns a GET request with a condition, so that the server need not send the current data again.
    func loadRequest() -> any Request {
        request(NetworkRequest.Recipe(resource: self, method: .get, isConditional: true, mutation: nil))
    }
}

extension Resource: RequestFollower {
    func ownRequestCompleted(_ request: any Request) {
        endOwn(request)
    }

    func load(_ number: State.LoadNumber, progressedTo progress: Double) {
        guard progress < 1 || observerList != nil else { return }  // The load's completion follows at once.
        change { $0.advance(to: progress) }
        notifyObservers(progress: progress)
    }

    func load(_ number: State.LoadNumber, _ request: any Request, completedWith info: ResponseInfo) {
        if isOutdated(info.requested) {
            end(load: number, request, with: .cancellation)
        } else if info.redirectStatus != 0 {
            end(load: number, request, with: info.toLoad(context.clock))
        } else {  // Passed without a copy, since a response is large.
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

/// The work of a load that first waits for the read of the persistent caches. It uses the network only if the resource
/// is not up to date afterwards.
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
