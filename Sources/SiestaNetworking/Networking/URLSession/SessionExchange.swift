import Foundation
import Isolation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange in a ``ExchangeSession``, from the first byte sent to its completion, including all redirects.
///
/// The response is kept in memory, or passed to a receiver while it arrives. The completion is called exactly once, on
/// a global queue, so that a slow completion delays no other exchange. Any thread may use it.
nonisolated final class SessionExchange: Sendable {
    /// A closure that receives the response, its body, the error, and the redirects that led to the response.
    typealias Completion = @Sendable (HTTPURLResponse?, Data?, (any Error)?, NetworkResponse.RedirectChain) -> Void

    private let progress: Locked<Progress>
    private let receiver: (any ResponseReceiver)?
    /// The file whose stream is the request body; nil for another body.
    private let file: URL?
    /// The cookies of the service when the exchange began; nil if the provider keeps none.
    let cookies: SessionCookies?

    /// The state of the exchange, and the objects that carry it out until it has ended.
    private struct Progress {
        var state: State
        var work: Work?
    }

    private struct Work {
        let session: ExchangeSession
        let completion: Completion
        var carrier: Carrier?
        var deadline: Deadline?
        var feed: ReceiverFeed?
        /// True if the task is suspended because the receiver is slow.
        var isHeld = false
    }

    /// Creates an exchange that ends with `URLError.timedOut` after `timeout` seconds. `session` must start it.
    init(
        _ state: State, in session: ExchangeSession, timeout: TimeInterval?, file: URL? = nil,
        receiver: (any ResponseReceiver)? = nil, cookies: SessionCookies? = nil, completion: @escaping Completion
    ) {
        (self.file, self.receiver) = (file, receiver)
        self.cookies = cookies
        progress = Locked(Progress(state: state, work: Work(session: session, completion: completion)))
        if let timeout {
            let deadline = Deadline(after: timeout) { [weak self] in
                self?.perform { $0.failure(.timedOut) }
            }
            progress.withLock { $0.work?.deadline = deadline }
        }
    }

    /// A new stream of the request body, for a session that sends the body again; nil if the body is not a file.
    var newBodyStream: InputStream? { file.flatMap { InputStream(url: $0) } }

    /// The request to send next; nil if the exchange has ended.
    var requestToSend: URLRequest? {
        progress.withLock { $0.state.request }
    }

    /// The login for the current request; nil if the request has no login, or a redirect has led out of its scope.
    var login: RequestExtras.Login? {
        progress.withLock { $0.state.extras?.login }
    }

    /// The object that carries out one request of an exchange.
    enum Carrier: Sendable {
        case task(URLSessionTask)
        #if os(Linux) || os(Android)
        case load(ProtocolLoad)
        #endif
    }

    /// Records the carrier that was started. Returns false if the exchange has ended and does not need the carrier.
    func isCarried(by carrier: Carrier) -> Bool {
        progress.withLock { progress in
            progress.work?.carrier = carrier
            return progress.work != nil
        }
    }

    /// Records that the session has sent `total` bytes of the request body to the network.
    func didSend(_ total: Int64) {
        perform { state in
            state.sent(total)
            return .wait
        }
    }

    /// Handles the head of a response that the session has received.
    func didReceive(_ response: URLResponse) {
        cookies?.receive(response, from: requestToSend?.url)
        perform { $0.received(response) }
    }

    /// Handles a piece of the response body that the session has received.
    func didReceive(_ data: Data) {
        perform { $0.received(data) }
    }

    /// Handles the end of the current request's task.
    func didComplete(_ error: (any Error)?, lastResponse: URLResponse? = nil) {
        _ = progress.withLock { $0.work?.carrier.take() }
        perform { $0.completed(error, lastResponse: lastResponse) }
    }

    /// Handles the failure of a protocol class of the app. The error is passed on unchanged, because it is the app's own.
    func didFail(_ error: any Error) {
        _ = progress.withLock { $0.work?.carrier.take() }
        perform { _ in .finish(.failed(error)) }
    }

    /// Passes an event to the state, and takes the step that the state returns. Ignores events after the end of the
    /// exchange.
    private func perform(_ event: (inout State) -> State.Step) {
        // A replaced request is released outside the lock: the app's body stream may run any code.
        let (step, session, _) = progress.withLock { progress -> (State.Step, ExchangeSession?, URLRequest?) in
            let request = progress.state.request
            guard let session = progress.work?.session else { return (.wait, nil, request) }
            return (event(&progress.state), session, request)
        }
        switch step {
        case .wait: break
        case .send: session?.start(self)
        case .begin(let response): begin(response)
        case .pass(let data): pass(data)
        case .finish(let outcome): finish(outcome)
        }
    }

    /// Ends the exchange, unless it has already ended. `failure` is the receiver's error.
    private func finish(_ outcome: State.Outcome, because failure: (any Error)? = nil) {
        let (work, ended) = progress.withLock { progress in
            let state = progress.state  // Released outside the lock, like the request in `perform`.
            progress.state.releaseContent()
            return (progress.work.take(), state)
        }
        guard let work else { return }
        work.deadline?.cancel()
        if let carrier = work.carrier {
            work.session.stop(carrier)
        }
        if let receiver {
            complete(work, outcome, failure, receiver, after: ended.chain)
        } else {
            DispatchQueue.global(qos: .userInitiated).async { [chain = ended.chain] in
                switch outcome {
                case .answered(let response, let body): work.completion(response, body, nil, chain)
                case .failed(let error): work.completion(nil, nil, error, chain)
                }
            }
        }
    }

    // MARK: Receivers

    private func begin(_ response: HTTPURLResponse) {
        guard let receiver else { return }
        progress.withLock { progress in
            guard progress.work != nil, progress.work?.feed == nil else { return }
            progress.work?.feed = ReceiverFeed(response, to: receiver) {
                self.holdOrResume()
            } onFailure: { error in
                self.finish(.failed(URLError(.cancelled)), because: error)
            }
        }
    }

    private func pass(_ data: Data) {
        guard let feed = progress.withLock({ $0.work?.feed }) else { return }
        guard feed.waitingBytes + data.count <= Self.waitingLimit else {
            return perform { $0.failure(.dataLengthExceedsMaximum) }
        }
        feed.append(data)
        holdOrResume()
    }

    /// Suspends or resumes the task, so that the server waits for a slow receiver. This is impossible on Linux, because
    /// a resumed task starts again there.
    private func holdOrResume() {
        #if !os(Linux) && !os(Android)
        progress.withLock { progress in
            guard let work = progress.work, let feed = work.feed, case .task(let task)? = work.carrier else { return }
            let mustHold = feed.waitingBytes >= (work.isHeld ? Self.lowWater : Self.highWater)
            guard mustHold != work.isHeld else { return }
            progress.work?.isHeld = mustHold
            if mustHold { task.suspend() } else { task.resume() }
        }
        #endif
    }

    /// Calls the completion after the last call to the receiver.
    private func complete(
        _ work: Work, _ outcome: State.Outcome, _ failure: (any Error)?, _ receiver: any ResponseReceiver,
        after chain: NetworkResponse.RedirectChain
    ) {
        Task { @concurrent in
            switch outcome {
            case .answered(let response, _):
                // On Linux, a redirect without a `Location` is not reported before its end.
                let feed = work.feed ?? response.map { ReceiverFeed($0, to: receiver) }
                feed?.end(isUseful: true)
                let failure = await feed?.failure
                work.completion(failure == nil ? response : nil, nil, failure, chain)
            case .failed(let error):
                work.feed?.end(isUseful: failure == nil && (error as? URLError)?.code == .networkConnectionLost)
                _ = await work.feed?.failure
                work.completion(nil, nil, failure ?? error, chain)
            }
        }
    }

    private static let highWater = 4 << 20
    private static let lowWater = 1 << 20
    private static let waitingLimit = 64 << 20
}

extension SessionExchange: RequestNetworking {
    /// Ends the exchange with `URLError.cancelled`, unless it has already ended.
    nonisolated func cancel() {
        finish(.failed(URLError(.cancelled)))
    }

    nonisolated var transferMetrics: RequestTransferMetrics {
        progress.withLock { $0.state.metrics }
    }
}
