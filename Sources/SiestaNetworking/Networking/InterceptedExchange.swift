import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request that waits before it starts, or that has its result without the network.
@MainActor
final class InterceptedExchange: TimedNetworking {
    private var inner: (any RequestNetworking)?
    /// The completion; nil after the request was started or answered.
    private var completion: (@Sendable (NetworkResponse) -> Void)?
    private var isCancelled = false

    /// Only a request that is delayed has its completion after the initializer has returned.
    var isWaitingForTimer: Bool { completion != nil || (inner as? any TimedNetworking)?.isWaitingForTimer ?? false }

    init(
        _ call: TransportCall, _ decision: ExchangeDecision, over transport: any Transport,
        _ completion: @escaping @Sendable (NetworkResponse) -> Void
    ) {
        self.completion = completion
        if decision.delay > 0 {
            SiestaClock.current.schedule(after: decision.delay) { self.proceed(call, decision.substitute, transport) }
        } else {
            proceed(call, decision.substitute, transport)
        }
    }

    private func proceed(
        _ call: TransportCall, _ substitute: ExchangeDecision.Substitute?, _ transport: any Transport
    ) {
        guard let completion = completion.take() else { return }
        switch substitute {
        case .failure(let code): answer(NetworkResponse(error: URLError(code)), completion)
        case .status(let status):
            let head = NetworkResponse.Head(
                status: status, fields: HeaderFields(["Content-Length": "0"]), url: call.request.url)
            answer(NetworkResponse(head: head), completion)
        case nil:
            inner = transport.start(call, completion: completion)
            if isCancelled { inner?.cancel() }  // Cancelled by code that ran during the start.
        }
    }

    /// Answers without the network, but not during a call to the transport.
    private func answer(_ response: NetworkResponse, _ completion: @escaping @Sendable (NetworkResponse) -> Void) {
        DispatchQueue.global(qos: .userInitiated).async { completion(response) }
    }

    func cancel() {
        isCancelled = true
        if let inner { return inner.cancel() }
        guard let completion = completion.take() else { return }
        answer(NetworkResponse(error: URLError(.cancelled)), completion)
    }

    var transferMetrics: RequestTransferMetrics { inner?.transferMetrics ?? .nothing }

    var requestMetrics: RequestMetrics? { inner?.requestMetrics }
}
