import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request in a ``TransferSession``, from the first byte sent to its completion, over all redirects.
///
/// Completes exactly once, on a global queue, so that a slow completion holds up nobody else. Usable on any thread.
nonisolated final class Transfer: Sendable {
    private let progress: Locked<Progress>

    /// What is known about the transfer, and what carries it out until it is over.
    private struct Progress {
        var state: State
        var work: Work?
    }

    private struct Work {
        let session: TransferSession
        let completion: RequestNetworkingCompletionCallback
        var task: URLSessionTask?
        var deadline: Deadline?
    }

    /// Creates a transfer that ends with `URLError.timedOut` after `timeout` seconds; `session` must start it.
    init(
        _ state: State, in session: TransferSession, timeout: TimeInterval?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) {
        progress = Locked(Progress(state: state, work: Work(session: session, completion: completion)))
        if let timeout {
            let deadline = Deadline(after: timeout) { [weak self] in
                self?.finish(.failed(URLError(.timedOut)))
            }
            progress.withLock { $0.work?.deadline = deadline }
        }
    }

    /// The request to send next, or nil if the transfer is over.
    var requestToSend: URLRequest? {
        progress.withLock { $0.state.request }
    }

    /// Takes note of the task that was started, and tells whether the transfer still needs it.
    func isCarried(by task: URLSessionTask) -> Bool {
        progress.withLock { progress in
            progress.work?.task = task
            return progress.work != nil
        }
    }

    /// The session has handed `total` bytes of the request body to the network.
    func didSend(_ total: Int64) {
        perform { state in
            state.sent(total)
            return .wait
        }
    }

    /// The session has received the head of a response.
    func didReceive(_ response: URLResponse) {
        perform { $0.received(response) }
    }

    /// The session has received a piece of the response body.
    func didReceive(_ data: Data) {
        perform { $0.received(data) }
    }

    /// The task of the present request has ended.
    func didComplete(_ error: (any Error)?, lastResponse: URLResponse? = nil) {
        progress.withLock { $0.work?.task = nil }
        perform { $0.completed(error, lastResponse: lastResponse) }
    }

    /// Lets the state decide what an event means, and does it. A transfer that is over takes no more events.
    private func perform(_ event: (inout State) -> State.Step) {
        let (step, session) = progress.withLock { progress in
            progress.work == nil ? (.wait, nil) : (event(&progress.state), progress.work?.session)
        }
        switch step {
        case .wait: break
        case .send: session?.start(self)
        case .finish(let outcome): finish(outcome)
        }
    }

    /// Ends the transfer, unless it is over.
    private func finish(_ outcome: State.Outcome) {
        let work = progress.withLock { progress in
            let work = progress.work
            progress.work = nil
            progress.state.releaseContent()
            return work
        }
        guard let work else { return }
        work.deadline?.cancel()
        if let task = work.task {
            work.session.stop(task)
        }
        let completion = work.completion
        DispatchQueue.global(qos: .userInitiated).async {
            switch outcome {
            case .answered(let response, let body): completion(response, body, nil)
            case .failed(let error): completion(nil, nil, error)
            }
        }
    }
}

extension Transfer: RequestNetworking {
    /// Ends the request with `URLError.cancelled`, unless it is over.
    nonisolated func cancel() {
        finish(.failed(URLError(.cancelled)))
    }

    nonisolated var transferMetrics: RequestTransferMetrics {
        progress.withLock { $0.state.metrics }
    }
}
