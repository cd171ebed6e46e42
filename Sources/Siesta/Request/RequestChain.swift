import Foundation

/// What a chain does once the request it wraps has completed.
public enum RequestChainAction {
    /// The chain completes as the given request does; it is started if need be.
    case passTo(any Request)
    /// The chain completes with the given response.
    case useResponse(ResponseInfo)
    /// The chain completes with the response that the wrapped request got.
    case useThisResponse
}

/// It may hold an entity of any content.
@available(*, unavailable)
extension RequestChainAction: Sendable {}

extension Request {
    /// Wraps this request in one that decides, when this one completes, how the whole shall complete.
    ///
    /// The chain starts at once if this request has started; else starting the chain starts this request. Cancelling
    /// the chain cancels whichever request is running on its behalf, and never calls the closure; if this request is
    /// cancelled by itself, the closure gets the cancellation. Repeating the chain repeats this request and asks the
    /// closure again.
    ///
    /// A chain that passes to a request which waits for the chain fails with ``RequestError/Cause/EndlessChain``; so
    /// does the 10 000th of chains that are each made by the closure of another.
    public func chained(whenCompleted: @escaping (ResponseInfo) -> RequestChainAction) -> any Request {
        let clock = SiestaClock.current
        let chain = LiveRequest(
            delegate: RequestChain(wrapping: self, whenCompleted: whenCompleted), heartbeat: .shared(for: clock))
        return state == .notStarted ? chain : chain.start()
    }
}

/// The work of a chain: following the wrapped request, then perhaps another.
@MainActor
final class RequestChain: DependentRequestDelegate, CommittingRequestDelegate {
    private let wrapped: any Request
    private let whenCompleted: (ResponseInfo) -> RequestChainAction
    private let lineage = RequestLineage.current.chained
    private var running: any Request
    private var isCancelled = false
    /// Whether it was to be cancelled when the work of the running request had taken effect already.
    private var isLastRequest = false

    init(wrapping request: any Request, whenCompleted: @escaping (ResponseInfo) -> RequestChainAction) {
        wrapped = request
        running = request
        self.whenCompleted = whenCompleted
    }

    func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
        guard !lineage.isEndless else {
            return end(completionHandler, ResponseInfo(response: .failure(lineage.error(next: requestName))))
        }
        follow(wrapped) { [self] response in
            switch lineage.whileCurrent({ whenCompleted(response) }) {
            case .useThisResponse: end(completionHandler, response)
            case .useResponse(let other): end(completionHandler, other)
            case .passTo where isLastRequest: end(completionHandler, .cancellation)
            case .passTo(let next): pass(to: next, completionHandler)
            }
        }
    }

    func cancelEffect(ifUnwanted: Bool) -> Bool {
        isCancelled = true  // so that this chain is none of those who want the request
        guard !running.cancelEffect(ifUnwanted: ifUnwanted) else { return true }
        (isCancelled, isLastRequest) = (false, true)
        return false
    }

    func cancelUnderlyingOperation() {
        stop { $0.cancel() }
    }

    func abandonUnderlyingOperation() {
        stop { $0.cancelIfUnwanted() }
    }

    func repeated() -> any RequestDelegate {
        RequestChain(wrapping: wrapped.repeated(), whenCompleted: whenCompleted)
    }

    /// That of the request at the end of all chains.
    func computeProgress() -> Double {
        var request = running
        while let next = (request as? LiveRequest)?.awaited { request = next }
        return request.progress
    }

    var awaited: (any Request)? { running }

    var requestDescription: String { "Chain[\(wrapped)]" }

    var requestName: String { "chain of " + ((wrapped as? LiveRequest)?.name ?? "\(type(of: wrapped))") }

    private func pass(to next: any Request, _ completionHandler: any RequestCompletionHandler) {
        if let error = RequestLineage.errorIfCircular(completionHandler, next) {
            return end(completionHandler, ResponseInfo(response: .failure(error)))
        }
        follow(next) { [self] in end(completionHandler, $0) }
    }

    private func follow(_ request: any Request, completion: @escaping (ResponseInfo) -> Void) {
        running = request
        request.onCompletion { [self] response in
            NestedWork.run { [self] in
                if !isCancelled { completion(response) }
            }
        } whileWanted: { [self] in
            !isCancelled
        }
        NestedWork.run { [self] in
            if !isCancelled { request.start() }
        }
    }

    /// Completes; and lets go of the last request, which may hold a long row of others.
    private func end(_ completionHandler: any RequestCompletionHandler, _ response: ResponseInfo) {
        running = wrapped
        completionHandler.broadcastResponse(response)
    }

    private func stop(_ end: @escaping (any Request) -> Void) {
        isCancelled = true
        let last = running
        running = wrapped
        NestedWork.run { end(last) }
    }
}
