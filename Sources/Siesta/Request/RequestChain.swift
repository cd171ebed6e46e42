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
        follow(wrapped) { [self] response in
            switch whenCompleted(response) {
            case .useThisResponse: completionHandler.broadcastResponse(response)
            case .useResponse(let other): completionHandler.broadcastResponse(other)
            case .passTo where isLastRequest: completionHandler.broadcastResponse(.cancellation)
            case .passTo(let next): follow(next) { completionHandler.broadcastResponse($0) }
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
        isCancelled = true
        running.cancel()
    }

    func abandonUnderlyingOperation() {
        isCancelled = true
        running.cancelIfUnwanted()
    }

    func repeated() -> any RequestDelegate {
        RequestChain(wrapping: wrapped.repeated(), whenCompleted: whenCompleted)
    }

    func computeProgress() -> Double { running.progress }

    var requestDescription: String { "Chain[\(wrapped)]" }

    private func follow(_ request: any Request, completion: @escaping (ResponseInfo) -> Void) {
        running = request
        request.onCompletion { [self] response in
            if !isCancelled { completion(response) }
        } whileWanted: { [self] in
            !isCancelled
        }
        if !isCancelled { request.start() }
    }
}
