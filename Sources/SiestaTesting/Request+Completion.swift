import Dispatch
public import SiestaCore

extension Request {
    /// Waits until the request has succeeded, failed or been cancelled, and returns its result.
    ///
    /// If the waiting task is cancelled, for example by a test's time limit, the result is a failure whose cause is
    /// `CancellationError`, and the request continues.
    @discardableResult
    @MainActor public func completion() async -> ResponseInfo {
        let (stream, continuation) = AsyncStream.makeStream(of: UncheckedSendable<ResponseInfo>.self)
        onCompletion {
            continuation.yield(UncheckedSendable($0))
            continuation.finish()
        }
        for await info in stream { return info.value }
        let error = RequestError(userMessage: "Stopped waiting for the request", cause: CancellationError())
        return ResponseInfo(response: .failure(error))
    }
}

/// Waits until the main queue has run all work that was already scheduled.
@MainActor
public func mainQueueTurn() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
    }
}
