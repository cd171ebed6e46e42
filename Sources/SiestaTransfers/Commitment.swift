import Isolation
import SiestaCore

/// A decision about work that cannot be undone: either the work takes effect, or it is cancelled. The first call
/// decides.
final class Commitment: Sendable {
    private enum State: Sendable {
        case open, cancelled, done
    }

    private let state = Locked(State.open)

    /// Calls `work` unless the work was cancelled. Returns true if `work` was called. A cancellation waits until `work`
    /// has returned. Therefore `work` should be a single system call.
    ///
    /// If `work` throws, no decision has been made.
    func commit<Failure>(_ work: () throws(Failure) -> Void) throws(Failure) -> Bool {
        let result: Result<Bool, Failure> = state.withLock { state in
            Result { () throws(Failure) in
                guard case .open = state else { return false }
                try work()
                state = .done
                return true
            }
        }
        return try result.get()
    }

    /// Prevents the work from taking effect. Returns false if it has already taken effect.
    func cancel() -> Bool {
        state.withLock { state in
            if case .done = state { return false }
            state = .cancelled
            return true
        }
    }
}
