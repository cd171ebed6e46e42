/// One decision about work that cannot be taken back: it takes effect, or is cancelled, whatever comes first.
final class Commitment: Sendable {
    private enum State: Sendable {
        case open, cancelled, done
    }

    private let state = Locked(State.open)

    /// Does `work` unless it was cancelled, and tells whether it has. Who cancels meanwhile waits, so `work` should be
    /// one call of the system.
    ///
    /// If `work` throws, nothing is decided.
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

    /// Keeps the work from taking effect; false if it has had it.
    func cancel() -> Bool {
        state.withLock { state in
            if case .done = state { return false }
            state = .cancelled
            return true
        }
    }
}
