public import SiestaCore

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// One request to a ``StubNetwork``, and its outcome.
@MainActor
public final class StubExchange: RequestNetworking {
    /// The request as it was sent.
    public let request: URLRequest

    /// True if the request was cancelled before its answer.
    public private(set) var isCancelled = false

    /// True if the request has its answer, or was cancelled.
    public private(set) var isCompleted = false

    /// The transfer metrics that the request reports. Set them to simulate progress.
    public var transferMetrics = RequestTransferMetrics(
        requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)

    private var completion: RequestNetworkingCompletionCallback?

    init(request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback) {
        self.request = request
        self.completion = completion
    }

    /// Completes the request with `answer` instead of the scripted answer. Has no effect on a completed request.
    ///
    /// If no server could send the answer, the request fails with ``StubNetwork/ImpossibleAnswer``.
    public func respond(with answer: StubAnswer) {
        guard let completion else { return }
        self.completion = nil
        isCompleted = true
        switch answer.outcome {
        case .failure(let error): completion(nil, nil, error)
        case .response(let status, let headers, let body):
            if let reason = answer.impossibility(method: request.httpMethod ?? "GET") {
                let url = request.url?.absoluteString ?? ""
                let error = StubNetwork.ImpossibleAnswer(method: request.httpMethod ?? "", url: url, reason: reason)
                return completion(nil, nil, error)
            }
            let response = request.url.flatMap {
                HTTPURLResponse(url: $0, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
            }
            completion(response, body, nil)
        }
    }

    /// Completes the request in the same way as a network after a cancellation.
    public func cancel() {
        guard !isCompleted else { return }
        isCancelled = true
        respond(with: .failure(.cancelled))
    }

    func follow(_ answer: StubAnswer) {
        guard !answer.isHeld else { return }
        guard let gate = answer.gate else { return respond(with: answer) }
        gate.pass { self.respond(with: answer) }
    }
}
