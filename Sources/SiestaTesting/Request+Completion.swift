import Dispatch
public import Siesta

extension Request {
    /// Waits for the request to complete, including by cancellation.
    ///
    /// If the waiting task is cancelled, for example by a test's time limit, returns a failure whose cause is
    /// `CancellationError`; the request continues.
    @discardableResult
    @MainActor public func completion() async -> ResponseInfo {
        let (stream, continuation) = AsyncStream.makeStream(of: UncheckedTransfer<ResponseInfo>.self)
        onCompletion {
            continuation.yield(UncheckedTransfer($0))
            continuation.finish()
        }
        for await info in stream { return info.value }
        let error = RequestError(userMessage: "Stopped waiting for the request", cause: CancellationError())
        return ResponseInfo(response: .failure(error))
    }
}

/// Waits until all work that was already sent to the main queue has run.
@MainActor
public func mainQueueTurn() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
    }
}
