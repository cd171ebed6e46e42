import Isolation
import SiestaCore

/// The responses that wait until another response has passed them, in the order of their arrival.
final class HeldResponses: Sendable {
    private struct State {
        var lastNumber = 0
        var waiting: [(number: Int, deliver: @Sendable () -> Void)] = []
    }

    private let state = Locked(State())

    /// Holds a response back. Returns a number with which it can be released.
    func hold(_ deliver: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.waiting.append((state.lastNumber, deliver))
            return state.lastNumber
        }
    }

    /// Delivers one response, if it still waits.
    func release(_ number: Int) {
        let deliver = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).deliver }
        }
        deliver?()
    }

    /// Delivers the responses that wait now, each by a timer that is due at once. So they cannot be processed at the
    /// same time as the response that has passed them.
    func releaseAll(by clock: SiestaClock) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for response in waiting { clock.schedule(after: 0) { response.deliver() } }
    }
}
