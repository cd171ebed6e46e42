import Foundation

/// The work of a load that first waits until the persistent caches are read. It uses the network only if the resource
/// is not up to date afterwards.
///
/// It also passes the progress and the result of the load to the resource. If the load has found fresh data, its hooks
/// receive the data as new, but the resource has the data already.
@MainActor
final class LoadAfterCache: LibraryRequestDelegate {
    private let resource: Resource
    /// The number of the load; nil for a repeated request, which is not a load, and sends no event.
    private var number: Resource.State.LoadNumber?
    private let made = WipeCount.now
    private var load: (any Request)?
    private var isCancelled = false
    /// The age up to which data is fresh, in seconds, for the strictest caller who has given one; nil if none has.
    private var maxAge: TimeInterval?
    /// True if the data must also be fresh by the configuration, because a caller has given no age.
    private var followsConfiguration: Bool
    /// The fresh data; nil until the read has ended, or if the resource was not up to date after the read.
    private var freshData: Entity<Any>?
    /// The error from the cache that holds back the load; nil if there is none.
    private var storedError: RequestError?

    /// The event of the decision to load; nil if there were no listeners.
    private let cause: Int?

    init(
        of resource: Resource, load number: Resource.State.LoadNumber, maxAge: TimeInterval? = nil, because cause: Int?
    ) {
        self.resource = resource
        (self.maxAge, followsConfiguration) = (maxAge, maxAge == nil)
        self.cause = cause
        self.number = number
    }

    private init(repeating other: LoadAfterCache) {
        resource = other.resource
        (maxAge, followsConfiguration) = (other.maxAge, other.followsConfiguration)
        cause = other.cause
        number = nil
    }

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        resource.whenCacheIsRead { [self] in
            guard !isCancelled else { return }
            guard !resource.isOutdated(made) else { return completionHandler.broadcastResponse(.cancellation) }
            if isUpToDate, let error = resource.state.error, error.isByHTTP {
                storedError = error
                return completionHandler.broadcastResponse(ResponseInfo(response: .failure(error)))
            }
            // While an error holds loads back, the data need not be fresh.
            if isUpToDate, resource.state.error == nil, let entity = resource.state.data {
                freshData = entity
                return completionHandler.broadcastResponse(.alreadyKnown(resource.shownData ?? entity, isNew: true))
            }
            askNetwork(passingResponseTo: completionHandler)
        }
    }

    /// An error also counts as up to date for a while, but not for a caller who accepts nothing from the cache.
    private var isUpToDate: Bool {
        maxAge != -.infinity && maxAge.map(resource.isUpToDate(within:)) ?? true
            && (!followsConfiguration || resource.isUpToDateNow)
    }

    private func askNetwork(passingResponseTo completionHandler: any RequestCompletionHandler) {
        if let error = resource.errorInsteadOfLoad {
            return completionHandler.broadcastResponse(ResponseInfo(response: .failure(error)))
        }
        let old = number
        // Later data does not replace the response, because the server is asked only now.
        if let old, old <= resource.state.shownLoad { number = resource.takeLoadNumber() }
        let load = LiveRequest.whileStartingLoad {
            resource.context.activity?.causing(cause) { resource.loadRequest(number: number) }
                ?? resource.loadRequest(number: number)
        }
        guard !isCancelled else { return load.cancelIfUnwanted() }  // Code of the app has cancelled it in the meantime.
        if let error = RequestLineage.errorIfCircular(completionHandler, load) {
            return completionHandler.broadcastResponse(ResponseInfo(response: .failure(error)))
        }
        self.load = load
        if let old, let number {
            resource.running.resume(load: old, as: number, at: resource.context.clock.monotonicTime)
        }
        load.onCompletion {
            completionHandler.broadcastResponse($0)
        } whileWanted: { [self] in
            !isCancelled
        }
        if number != nil { resource.notifyObservers(.requested) }
    }

    func cancelUnderlyingOperation() {
        isCancelled = true
        load?.cancel()
    }

    func abandonUnderlyingOperation() {
        isCancelled = true
        load?.cancelIfUnwanted()
    }

    /// Makes the work as strict as another caller who has joined the load.
    ///
    /// - Parameter maxAge: The age that this caller accepts, in seconds; nil for what the configuration accepts, and minus
    ///   infinity for nothing.
    func accept(maxAge: TimeInterval?) {
        guard let maxAge else { return followsConfiguration = true }
        let ages = [self.maxAge ?? .infinity, maxAge].map { $0.isNaN ? -1 : $0 }
        self.maxAge = min(ages[0], ages[1])
    }

    func repeated() -> any RequestDelegate { LoadAfterCache(repeating: self) }
    func computeProgress() -> Double { load?.progress ?? 0 }
    var progressReportingInterval: TimeInterval { resource.resolvedConfiguration(for: .get).progressReportingInterval }
    var awaited: (any Request)? { load }
    var requestName: String { RequestLineage.Key(address: resource.address, method: "GET").description }
    var requestDescription: String { "Load after cache read of \(resource)" }
}

extension LoadAfterCache: RequestFollower {
    var isObserved: Bool { resource.isObserved }

    func ownRequestCompleted(_ request: any Request) {}

    func load(_ number: Int32, progressedTo progress: Double) {
        resource.load(self.number ?? number, progressedTo: progress)
    }

    func load(_ first: Int32, _ request: any Request, completedWith info: ResponseInfo) {
        let number = number ?? first
        if let storedError, !info.response.isCancellation {
            let known = ResponseInfo.alreadyKnown(storedError).requested(at: info.requested)
            return resource.load(number, request, completedWith: known)
        }
        guard let freshData, !info.response.isCancellation else {
            return resource.load(number, request, completedWith: info)
        }
        let known = ResponseInfo.alreadyKnown(freshData, isNew: false).requested(at: info.requested)
        resource.load(number, request, completedWith: known)
    }
}
