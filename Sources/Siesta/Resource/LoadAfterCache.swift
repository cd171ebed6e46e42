/// The work of a load that first waits until the persistent caches are read. It uses the network only if the resource
/// is not up to date afterwards.
@MainActor
final class LoadAfterCache: DependentRequestDelegate {
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
