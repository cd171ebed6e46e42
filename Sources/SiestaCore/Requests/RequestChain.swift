import Foundation

/// The action that a chain takes after the request that it wraps has completed.
public enum RequestChainAction {
    /// Starts the given request if necessary, and completes the chain with its response.
    case passTo(any Request)
    /// Completes the chain with the given response.
    case useResponse(ResponseInfo)
    /// Completes the chain with the response of the wrapped request.
    case useThisResponse
}

/// Not `Sendable`: it may hold an entity with content of any type.
@available(*, unavailable)
extension RequestChainAction: Sendable {}

extension Request {
    /// Returns a chain that wraps this request. When this request has completed, the closure decides how the chain
    /// completes.
    ///
    /// If this request has started, the chain starts at once. Otherwise, starting the chain starts this request.
    /// Cancelling the chain cancels the request for which the chain currently waits, and the closure is not called. If
    /// the app cancels this request instead of the chain, the closure receives the cancellation. Repeating the chain
    /// repeats this request and calls the closure again.
    ///
    /// A chain fails with ``RequestError/Code/endlessChain`` if its closure returns ``RequestChainAction/passTo(_:)``
    /// with a request that waits for the chain itself. If every closure creates another chain, the last chain fails
    /// with the same code after about 10 000 chains. If a decorator returns a chain whose closure makes another
    /// decorated request, a series of requests can result. In such a series, at most 20 requests can have the same URL
    /// and method. A request that has not led to a failure counts toward this limit for only 10 seconds.
    public func chained(whenCompleted: @escaping (ResponseInfo) -> RequestChainAction) -> any Request {
        let chain = LiveRequest(
            delegate: RequestChain(wrapping: self, whenCompleted: whenCompleted),
            heartbeat: live?.heartbeat ?? .shared(for: .current))
        return state == .notStarted ? chain : chain.start()
    }
}

/// The work of a chain: waits for the wrapped request, and then for another request if the closure passes to one.
@MainActor
final class RequestChain: LibraryRequestDelegate {
    private let wrapped: any Request
    private let whenCompleted: (ResponseInfo) -> RequestChainAction
    private let lineage = RequestLineage.current.chained
    private var running: any Request
    fileprivate var isCancelled = false
    /// True if the chain was cancelled after the work of the running request had already taken effect.
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
            let lineage = lineage.after(response.response, at: SiestaClock.active.monotonicTime)
            switch lineage.whileCurrent({ whenCompleted(response) }) {
            case .useThisResponse: end(completionHandler, response)
            case .useResponse(let other): end(completionHandler, other)
            case .passTo where isLastRequest: end(completionHandler, .cancellation)
            case .passTo(let next): pass(to: next, completionHandler)
            }
        }
    }

    func cancelEffect(ifUnwanted: Bool) -> Bool {
        guard !isCancelled else { return true }  // It was asked already, together with a chain that waits for it.
        isCancelled = true  // With this flag, the chain no longer counts as a user of the request.
        // A loop, because a row of chains may be longer than the stack is deep.
        var (row, last) = ([self], running)
        while let next = last.live?.chain(toCancelIfUnwanted: ifUnwanted) {
            next.isCancelled = true
            row.append(next)
            last = next.running
        }
        guard !last.cancelEffect(ifUnwanted: ifUnwanted) else { return true }
        for chain in row { (chain.isCancelled, chain.isLastRequest) = (false, true) }
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

    func computeProgress() -> Double { last.progress }

    var progressReportingInterval: TimeInterval { last.live?.progressReportingInterval ?? 0.05 }

    /// The request at the end of all chains.
    private var last: any Request {
        var request = running
        while let next = request.live?.awaited { request = next }
        return request
    }

    var awaited: (any Request)? { running }

    /// The request with which the chain begins; nil if that is a chain, too. The texts of a long row of chains would take
    /// quadratic time.
    private var first: (any Request)? { wrapped.live?.isChain == true ? nil : wrapped }

    var requestDescription: String { first.map { "Chain[\($0)]" } ?? "Chain of chains" }

    var requestName: String { first.map { "chain of " + ($0.live?.name ?? "\(type(of: $0))") } ?? "chain of chains" }

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

    /// Completes the chain, and releases the last request, which may hold a long sequence of other requests.
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

extension LiveRequest {
    /// The work if it is a chain that ``RequestChain/cancelEffect(ifUnwanted:)`` would ask, and that was not asked before.
    fileprivate func chain(toCancelIfUnwanted ifUnwanted: Bool) -> RequestChain? {
        guard state == .inProgress, let chain = delegate as? RequestChain, !chain.isCancelled, !ifUnwanted || !isWanted
        else { return nil }
        return chain
    }
}
