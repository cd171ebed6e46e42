import Dispatch
public import Siesta

extension Request {
    /// Waits for the request to complete, cancellation included.
    ///
    /// If the waiting task is cancelled, so by a test's time limit, it stops waiting and gets a failure whose cause is
    /// `CancellationError`; the request is not affected.
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

/// Waits until all that was on its way to the main actor has arrived there.
@MainActor
public func mainQueueTurn() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
    }
}
