public import SiestaCore

#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// One request to a ``StubNetwork``, and its outcome.
@MainActor
public final class StubExchange: RequestNetworking {
    /// The request as it was sent.
    public let request: URLRequest

    /// True if the request was cancelled before it was answered.
    public private(set) var isCancelled = false

    /// True if the request has been answered or cancelled.
    public private(set) var isCompleted = false

    /// The transfer metrics that the request reports. Set this property to simulate progress.
    public var transferMetrics = RequestTransferMetrics(
        requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)

    /// True if the head of a stream was sent, and the stream has not ended.
    public private(set) var isStreaming = false

    private var completion: RequestNetworkingCompletionCallback?
    private let receiver: (any ResponseReceiver)?
    /// The pieces of a stream, for the task that passes them on.
    private var pieces: AsyncStream<Data>.Continuation?
    /// A stream that the client receives as a whole when it ends.
    private var whole: (response: HTTPURLResponse, body: Data)?
    private var sentCount = 0
    private let receivedCount = AwaitedCount()

    init(
        request: URLRequest, receiver: (any ResponseReceiver)?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) {
        (self.request, self.receiver, self.completion) = (request, receiver, completion)
    }

    /// Responds to the request with `answer` instead of the scripted answer. If the request is already complete, or if
    /// its response is a stream that has begun, the call has no effect. If `answer` is a stream, the request is
    /// complete when the stream ends.
    ///
    /// If HTTP does not allow a server to send the answer, the request fails with an error that names the reason.
    public func respond(with answer: StubAnswer) {
        // A receiver may still be reading a response that has ended.
        guard completion != nil, pieces == nil, whole == nil else { return }
        switch answer.outcome {
        case .failure(let error): complete(error)
        case .response(let status, let headers, let body):
            if let reason = answer.impossibility(method: request.httpMethod ?? "GET") {
                let url = request.url?.absoluteString ?? ""
                return complete(
                    StubNetwork.ImpossibleAnswer(method: request.httpMethod ?? "", url: url, reason: reason))
            }
            let response = request.url.flatMap {
                HTTPURLResponse(url: $0, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
            }
            guard let response, receiver != nil || answer.isStream else {
                return complete(response: response, body: body)
            }
            begin(response)
            if !body.isEmpty { send(body) }
            if !answer.isStream { finish() }
        }
    }

    /// Sends a piece of a stream; see ``StubAnswer/stream(_:headers:)``. The pieces arrive in order, and each piece
    /// arrives undivided.
    public func send(_ text: String) { send(Data(text.utf8)) }

    /// Sends a piece of a stream. An empty piece is not sent.
    public func send(_ piece: Data) {
        guard isStreaming, !piece.isEmpty else { return }
        sentCount += 1
        whole?.body.append(piece)
        pieces?.yield(piece)
    }

    /// Waits until the client has received all pieces that were sent. A test can then advance its clock, for example to
    /// check how the app behaves if the server stops sending. If the request is complete, or if the client receives the
    /// body as a whole, this function returns at once.
    ///
    /// - Parameter timeLimit: The real time after which the wait fails. The default is 30 seconds.
    /// - Throws: An error if `timeLimit` has passed. `CancellationError` if the waiting task is cancelled.
    public func delivered(timeLimit: Duration = .seconds(30)) async throws {
        guard !isCompleted, whole == nil else { return }
        try await receivedCount.wait(for: sentCount, timeLimit: timeLimit) { "the \(sentCount) pieces of a stream" }
    }

    /// Ends a stream in the same way as a server that has sent the complete body.
    public func finish() { end(with: nil) }

    /// Ends a stream with an error, as a lost connection does. Pieces that have already been sent still arrive.
    public func fail(_ code: URLError.Code) { end(with: URLError(code)) }

    private func begin(_ response: HTTPURLResponse) {
        isStreaming = true
        guard let receiver else { return whole = (response, Data()) }
        let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
        self.pieces = continuation
        Task {
            do {
                try await receiver.begin(response)
                for await piece in pieces {
                    try await receiver.receive(piece)
                    receivedCount.add(1)
                }
                complete(streamError, response: response, body: nil)
            } catch {
                complete(error)
            }
        }
    }

    private var streamError: (any Error)?

    private func end(with error: (any Error)?) {
        guard isStreaming else { return }
        isStreaming = false
        streamError = error
        pieces?.finish()
        if let whole { complete(error, response: whole.response, body: whole.body) }
    }

    private func complete(_ error: (any Error)? = nil, response: HTTPURLResponse? = nil, body: Data? = nil) {
        guard let completion else { return }
        self.completion = nil
        (isCompleted, isStreaming, whole) = (true, false, nil)
        pieces?.finish()
        receivedCount.add(sentCount)
        if let error { completion(nil, nil, error) } else { completion(response, body, nil) }
    }

    /// Completes the request with `URLError.cancelled`. If the request is already complete, does nothing.
    public func cancel() {
        guard !isCompleted else { return }
        isCancelled = true
        complete(URLError(.cancelled))
    }

    func follow(_ answer: StubAnswer) {
        guard !answer.isHeld else { return }
        guard let gate = answer.gate else { return respond(with: answer) }
        gate.pass { self.respond(with: answer) }
    }
}
