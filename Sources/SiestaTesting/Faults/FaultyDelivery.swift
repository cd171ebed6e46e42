import Foundation
import Isolation
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The way of a response to the completion of its request, with the faults on this way. Any thread may use it.
///
/// The completion is called once: each path takes it from the state first.
final class FaultyDelivery: Sendable {
    private struct State {
        /// The completion; nil after it was called.
        var completion: RequestNetworkingCompletionCallback?
        var isCancelled = false
        /// True if the response of the other network has arrived.
        var hasArrived = false
        /// True while a timer delays the request or its response.
        var isWaiting = false
    }

    private let decision: FaultDecision
    private let timeout: TimeInterval
    private let reorderTime: TimeInterval
    private let clock: SiestaClock
    private let heldBack: HeldResponses
    private let state: Locked<State>

    init(
        _ decision: FaultDecision, timeout: TimeInterval, reorderTime: TimeInterval, clock: SiestaClock,
        heldBack: HeldResponses, _ completion: @escaping RequestNetworkingCompletionCallback
    ) {
        (self.decision, self.timeout, self.reorderTime) = (decision, timeout, reorderTime)
        (self.clock, self.heldBack) = (clock, heldBack)
        state = Locked(State(completion: completion))
    }

    var hasEnded: Bool { state.withLock { $0.completion == nil } }
    var isWaiting: Bool { state.withLock { $0.isWaiting && $0.completion != nil } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Receives the response of the other network. After a cancellation, the response is passed on unchanged.
    func receive(_ response: HTTPURLResponse?, _ body: Data?, _ error: (any Error)?) {
        let isCancelled = state.withLock { state in
            state.hasArrived = true
            return state.isCancelled
        }
        guard !isCancelled, error == nil, let response else { return finish(response, body, error) }
        switch decision.fault {
        case .lostResponse(let loss): lose(loss)
        case .cutBody(let fraction):
            let cut = FaultyResponse(response: response, body: body).cut(to: fraction)
            deliver(cut.response, cut.body, nil)
        case .wrongLength(let difference):
            let wrong = FaultyResponse(response: response, body: body).changingLength(by: difference)
            deliver(wrong.response, wrong.body, nil)
        default: deliver(response, body, nil)
        }
    }

    /// Runs an action after a delay.
    func wait(_ delay: TimeInterval, _ action: @escaping @MainActor @Sendable () -> Void) {
        // Under the lock: whoever sees that the request waits for a timer also finds the timer.
        state.withLock { state in
            state.isWaiting = true
            clock.schedule(after: delay) {
                self.state.withLock { $0.isWaiting = false }
                action()
            }
        }
    }

    /// Fails in the way of a loss.
    func lose(_ loss: FaultDecision.Loss) {
        guard loss == .timedOut else { return finish(nil, nil, loss.error) }
        wait(timeout) { self.finish(nil, nil, loss.error) }
    }

    /// Delivers a response after its delay, and after the response that passes it.
    func deliver(_ response: HTTPURLResponse?, _ body: Data?, _ error: (any Error)?) {
        guard decision.responseDelay > 0 else { return pass(response, body, error) }
        wait(decision.responseDelay) { self.pass(response, body, error) }
    }

    private func pass(_ response: HTTPURLResponse?, _ body: Data?, _ error: (any Error)?) {
        guard decision.isHeldBack else { return finish(response, body, error) }
        guard !hasEnded else { return }
        let number = heldBack.hold { self.finish(response, body, error) }
        clock.schedule(after: reorderTime) { [heldBack] in heldBack.release(number) }
        state.withLock { $0.isWaiting = true }  // Until the end: any of two timers may deliver the response.
    }

    /// Ends the request, unless the other network still has it and will complete it.
    func cancel(isRunning: Bool) {
        let isOwn = state.withLock { state in
            state.isCancelled = true
            return !isRunning || state.hasArrived
        }
        if isOwn { finish(nil, nil, URLError(.cancelled)) }
    }

    private func finish(_ response: HTTPURLResponse?, _ body: Data?, _ error: (any Error)?) {
        let completion: RequestNetworkingCompletionCallback? = state.withLock { state in
            defer { state.completion = nil }
            return state.completion
        }
        guard let completion else { return }
        completion(response, body, error)
        heldBack.releaseAll(by: clock)
    }
}
