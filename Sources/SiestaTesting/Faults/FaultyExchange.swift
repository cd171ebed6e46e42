import Foundation
import Isolation
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request to a ``FaultyNetwork``: carries out a decision.
@MainActor
final class FaultyExchange: TimedNetworking {
    typealias Start = (@escaping RequestNetworkingCompletionCallback) -> any RequestNetworking

    private let request: URLRequest
    private let decision: FaultDecision
    private let start: Start
    private let delivery: FaultyDelivery
    private var attempts: [any RequestNetworking] = []
    /// The receiver of a response that is read in pieces; nil for other responses.
    var receiver: FaultyReceiver?

    init(
        _ request: URLRequest, _ decision: FaultDecision, _ network: FaultyNetwork, start: @escaping Start,
        completion: @escaping RequestNetworkingCompletionCallback
    ) {
        (self.request, self.decision, self.start) = (request, decision, start)
        delivery = FaultyDelivery(
            decision, timeout: min(request.timeoutInterval, network.rates.timeoutSeconds),
            reorderTime: network.rates.reorderSeconds, clock: network.clock, heldBack: network.heldBack, completion)
    }

    func begin() {
        guard decision.requestDelay > 0 else { return proceed() }
        delivery.wait(decision.requestDelay) { self.proceed() }
    }

    private func proceed() {
        guard !delivery.hasEnded else { return }  // Cancelled during the delay.
        switch decision.fault {
        case .lostRequest(let loss): delivery.lose(loss)
        case .serverError(let status, let retryAfter):
            let answer = FaultyResponse.serverError(status, retryAfter: retryAfter, url: request.url)
            delivery.deliver(answer.response, answer.body, nil)
        default: send()
        }
    }

    private func send() {
        let delivery = delivery
        attempts.append(start { delivery.receive($0, $1, $2) })
        // The body of a stream can be read only once.
        if decision.isDuplicated, request.httpBodyStream == nil { attempts.append(start { _, _, _ in }) }
        if delivery.isCancelled { cancelAttempts() }  // Cancelled by code that ran during the start.
    }

    func cancel() {
        delivery.cancel(isRunning: !attempts.isEmpty)
        cancelAttempts()
    }

    private func cancelAttempts() {
        for attempt in attempts { attempt.cancel() }
    }

    /// The response to a duplicate is ignored, and so is its timer.
    var isWaitingForTimer: Bool {
        delivery.isWaiting || receiver?.isWaiting ?? false
            || (attempts.first as? any TimedNetworking)?.isWaitingForTimer ?? false
    }

    var transferMetrics: RequestTransferMetrics {
        attempts.first?.transferMetrics
            ?? RequestTransferMetrics(
                requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)
    }

    var requestMetrics: RequestMetrics? { attempts.first?.requestMetrics }
}
