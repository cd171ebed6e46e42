import Foundation
import Isolation
package import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension FaultyNetwork: TransportInterceptor {
    package var preventedCapabilities: TransportCapabilities { .extras }

    package func start(
        _ call: TransportCall, over transport: any Transport, completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        guard let (decision, delay) = decide(call.request) else {
            return transport.start(call, completion: completion)
        }
        if let receiver = call.receiver { return start(call, receiver, decision, delay, over: transport, completion) }
        let exchange = FaultyExchange(
            call.request, call.body == nil ? decision : decision.forStream, self
        ) {
            transport.start(call, callback: $0)
        } completion: {
            completion(NetworkResponse($0, $1, $2))
        }
        exchange.begin()
        return exchange
    }

    /// Starts a call whose response goes to a receiver.
    private func start(
        _ call: TransportCall, _ receiver: any ResponseReceiver, _ decision: FaultDecision,
        _ delay: @escaping @Sendable (_ piece: Int) -> TimeInterval,
        over transport: any Transport, _ completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        let faulty = FaultyReceiver(
            receiver, decision, delay, clock: clock, timeout: min(call.request.timeoutInterval, rates.timeoutSeconds))
        var call = call
        call.receiver = faulty
        let exchange = FaultyExchange(call.request, decision.forReceiver, self) { [call] in
            transport.start(call, callback: $0)
        } completion: { response, body, error in
            // A response without a server has not gone through the receiver.
            guard let response, let body, error == nil else {
                return completion(NetworkResponse(response, nil, error))
            }
            Task { @concurrent in
                do {
                    try await receiver.begin(response)
                    if !body.isEmpty { try await receiver.receive(body) }
                    completion(NetworkResponse(response, nil, nil))
                } catch {
                    completion(NetworkResponse(nil, nil, error))
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
    /// The delays of the pieces of an event stream.
    private let delay: @Sendable (_ piece: Int) -> TimeInterval
    private var isEventStream = false
    private var pieceCount = 0
    private var remaining = Int.max
    private let timer = Locked(false)

    /// True while a timer delays the response.
    nonisolated var isWaiting: Bool { timer.withLock { $0 } }

    init(
        _ receiver: any ResponseReceiver, _ decision: FaultDecision,
        _ delay: @escaping @Sendable (_ piece: Int) -> TimeInterval, clock: SiestaClock, timeout: TimeInterval
    ) {
        (self.receiver, self.decision, self.delay) = (receiver, decision, delay)
        (self.clock, self.timeout) = (clock, timeout)
    }

    func begin(_ response: HTTPURLResponse) async throws {
        isEventStream = response.mimeType?.lowercased() == "text/event-stream"
        if decision.responseDelay > 0 { await wait(decision.responseDelay) }
        switch decision.fault {
        case .lostResponse(let loss):
            if loss == .timedOut { await wait(timeout) }
            throw loss.error
        case .cutBody(let fraction):
            let length = response.expectedContentLength
            let size = length > 0 ? min(length, 1 << 40) : isEventStream ? 4096 : 65_536
            remaining = Int(fraction * Double(size))
            try await receiver.begin(response)
        case .wrongLength(let difference):
            let length = max(0, Int(min(response.expectedContentLength, 1 << 40)) + difference)
            let wrong = FaultyResponse(response: response, body: nil).settingLength(length) ?? response
            try await receiver.begin(response.expectedContentLength < 0 ? response : wrong)
        default: try await receiver.begin(response)
        }
    }

    func receive(_ piece: Data) async throws {
        pieceCount += 1
        let delay = isEventStream ? delay(pieceCount) : 0
        if delay > 0 { await wait(delay) }
        let part = piece.prefix(remaining)
        remaining -= part.count
        if !part.isEmpty { try await receiver.receive(Data(part)) }
        if part.count < piece.count { throw FaultDecision.Loss.connectionLost.error }
    }

    /// Waits for a timer. The wait ends earlier if the task is cancelled.
    private func wait(_ delay: TimeInterval) async {
        let (timers, continuation) = AsyncStream.makeStream(of: Never.self)
        // Under the lock: whoever sees that the response waits for a timer also finds the timer.
        timer.withLock { isWaiting in
            isWaiting = true
            clock.schedule(after: delay) { [timer] in
                timer.withLock { $0 = false }
                continuation.finish()
            }
        }
        for await _ in timers {}
        timer.withLock { $0 = false }
    }
}
