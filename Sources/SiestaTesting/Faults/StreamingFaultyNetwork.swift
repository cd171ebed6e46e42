import Foundation
import Isolation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A ``FaultyNetwork`` around a network that cannot stream.
struct PlainFaultyNetwork: WrappingProvider {
    let network: FaultyNetwork
    let base: any NetworkingProvider

    var wrapped: any NetworkingProvider { base }

    func wrapping(_ provider: any NetworkingProvider) -> any NetworkingProvider { network.provider(around: provider) }

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        network.start(request, base, completion)
    }
}

/// A ``FaultyNetwork`` around a network that can stream.
struct StreamingFaultyNetwork: WrappingProvider, StreamingNetworkingProvider {
    let network: FaultyNetwork
    let base: any StreamingNetworkingProvider

    var wrapped: any NetworkingProvider { base }

    func wrapping(_ provider: any NetworkingProvider) -> any NetworkingProvider { network.provider(around: provider) }

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        network.start(request, base, completion)
    }

    func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        guard let receiver else {
            return network.start(request, isStream: true, completion) {
                base.startRequest($0, body: body, receiver: nil, completion: $1)
            }
        }
        guard let decision = network.decide(request) else {
            return base.startRequest(request, body: body, receiver: receiver, completion: completion)
        }
        let faulty = FaultyReceiver(
            receiver, decision, clock: network.clock,
            timeout: min(request.timeoutInterval, network.rates.timeoutSeconds))
        let exchange = FaultyExchange(request, decision.forReceiver, network) {
            base.startRequest($0, body: body, receiver: faulty, completion: $1)
        } completion: { response, body, error in
            // A response without a server has not gone through the receiver.
            guard let response, let body, error == nil else { return completion(response, nil, error) }
            Task { @concurrent in
                do {
                    try await receiver.begin(response)
                    if !body.isEmpty { try await receiver.receive(body) }
                    completion(response, nil, nil)
                } catch {
                    completion(nil, nil, error)
                }
            }
        }
        exchange.receiver = faulty
        exchange.begin()
        return exchange
    }
}

extension FaultDecision {
    /// The faults of a request whose body is read while it is sent: it cannot be sent twice.
    var forStream: FaultDecision {
        var decision = self
        decision.isDuplicated = false
        return decision
    }

    /// The faults outside the receiver: those before the request is sent.
    fileprivate var forReceiver: FaultDecision {
        var decision = FaultDecision()
        decision.requestDelay = requestDelay
        switch fault {
        case .lostRequest, .serverError: decision.fault = fault
        case .lostResponse, .cutBody, .wrongLength, nil: break
        }
        return decision
    }
}

/// A receiver that delays, loses or cuts what it passes on.
actor FaultyReceiver: ResponseReceiver {
    private let receiver: any ResponseReceiver
    private let decision: FaultDecision
    private let clock: SiestaClock
    private let timeout: TimeInterval
    private var remaining = Int.max
    private let timer = Locked(false)

    /// True while a timer delays the response.
    nonisolated var isWaiting: Bool { timer.withLock { $0 } }

    init(_ receiver: any ResponseReceiver, _ decision: FaultDecision, clock: SiestaClock, timeout: TimeInterval) {
        (self.receiver, self.decision, self.clock, self.timeout) = (receiver, decision, clock, timeout)
    }

    func begin(_ response: HTTPURLResponse) async throws {
        if decision.responseDelay > 0 { await wait(decision.responseDelay) }
        switch decision.fault {
        case .lostResponse(let loss):
            if loss == .timedOut { await wait(timeout) }
            throw loss.error
        case .cutBody(let fraction):
            let length = response.expectedContentLength
            remaining = Int(fraction * Double(length > 0 ? min(length, 1 << 40) : 65_536))
            try await receiver.begin(response)
        case .wrongLength(let difference):
            let length = max(0, Int(min(response.expectedContentLength, 1 << 40)) + difference)
            let wrong = FaultyResponse(response: response, body: nil).settingLength(length) ?? response
            try await receiver.begin(response.expectedContentLength < 0 ? response : wrong)
        default: try await receiver.begin(response)
        }
    }

    func receive(_ piece: Data) async throws {
        let part = piece.prefix(remaining)
        remaining -= part.count
        if !part.isEmpty { try await receiver.receive(Data(part)) }
        if part.count < piece.count { throw FaultDecision.Loss.connectionLost.error }
    }

    private func wait(_ delay: TimeInterval) async {
        await withCheckedContinuation { continuation in
            // Under the lock: whoever sees that the response waits for a timer also finds the timer.
            timer.withLock { isWaiting in
                isWaiting = true
                clock.schedule(after: delay) { [timer] in
                    timer.withLock { $0 = false }
                    continuation.resume()
                }
            }
        }
    }
}
