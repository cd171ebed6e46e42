import Dispatch
public import Siesta

extension Request {
    /// Waits for the request to complete, cancellation included.
    @discardableResult
    @MainActor public func completion() async -> ResponseInfo {
        await withCheckedContinuation { (continuation: CheckedContinuation<UncheckedTransfer<ResponseInfo>, Never>) in
            onCompletion { continuation.resume(returning: UncheckedTransfer($0)) }
        }.value
    }
}

/// Waits until all that was on its way to the main actor has arrived there.
@MainActor
public func mainQueueTurn() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
    }
}
