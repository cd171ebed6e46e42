/// A task that waits for a request until the request completes or the task is cancelled.
@MainActor
final class RequestWaiter {
    private var continuation: CheckedContinuation<UncheckedSendable<ResponseInfo>, Never>?

    /// True if the task still waits for the response.
    var isWaiting: Bool { continuation != nil }

    /// Starts `request` if it has not been started, and waits for its response.
    ///
    /// If the task is cancelled, the wait ends at once with a cancellation. The request is cancelled, too, unless other
    /// code needs its outcome.
    static func response(of request: any Request) async -> ResponseInfo {
        if let live = request.live, let response = live.settledResponse { return response }
        let waiter = RequestWaiter()
        let response = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter.continuation = continuation
                waiter.wait(for: request)
            }
        } onCancel: {
            MainQueue.async { waiter.cancelWait(for: request) }
        }
        return response.value
    }

    func end(with response: ResponseInfo) {
        let waiting = continuation
        continuation = nil
        waiting?.resume(returning: UncheckedSendable(response))
    }

    private func wait(for request: any Request) {
        guard !Task.isCancelled else { return cancelWait(for: request) }
        if let live = request.live {
            live.attach(.waiter(self))
        } else {
            request.onCompletion { self.end(with: $0) }
        }
        request.start()
    }

    private func cancelWait(for request: any Request) {
        guard isWaiting else { return }
        guard let live = request.live else { return end(with: .cancellation) }
        live.detach(self)
        guard live.cancelIfUnwanted() else { return _ = live.attach(.waiter(self)) }
        end(with: .cancellation)
    }
}
