import Foundation
import Isolation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request of an ``AuthenticationNetwork``, and the task that waits for its response. Any thread may use it.
final class AuthenticationExchange: Sendable {
    private typealias Continuation = CheckedContinuation<NetworkResponse, any Error>

    private enum State {
        case new
        case waiting(Continuation)
        case ended(isCancelled: Bool)
    }

    private let state = Locked(State.new)
    /// The request in progress. It is kept until the end of this object, so that a cancellation reaches it.
    @MainActor private var networking: (any RequestNetworking)?

    init() {}

    /// Starts the request on the main actor, unless it was cancelled before.
    func start(
        _ continuation: CheckedContinuation<NetworkResponse, any Error>, _ request: URLRequest,
        _ start:
            @escaping @MainActor @Sendable (
                URLRequest, @escaping @Sendable (NetworkResponse) -> Void
            ) -> any RequestNetworking
    ) {
        let isCancelled = state.withLock { state in
            guard case .new = state else { return true }
            state = .waiting(continuation)
            return false
        }
        guard !isCancelled else { return continuation.resume(throwing: CancellationError()) }
        MainQueue.async {
            guard !self.isCancelled else { return }
            self.networking = start(request) { response in
                self.end(isCancelled: false)?.resume(returning: response)
            }
        }
    }

    /// Ends the wait, and then cancels the request.
    func cancel() {
        guard let continuation = end(isCancelled: true) else { return }
        continuation.resume(throwing: CancellationError())
        // This work runs after the work that starts the request.
        MainQueue.async { self.networking?.cancel() }
    }

    private var isCancelled: Bool {
        state.withLock { if case .ended(isCancelled: true) = $0 { true } else { false } }
    }

    /// Returns the continuation to the first caller, and nil to all others.
    private func end(isCancelled: Bool) -> Continuation? {
        state.withLock { state in
            let continuation: Continuation? = if case .waiting(let continuation) = state { continuation } else { nil }
            if case .ended = state { return nil }
            state = .ended(isCancelled: isCancelled)
            return continuation
        }
    }
}
