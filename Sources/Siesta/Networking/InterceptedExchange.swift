import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The result of a request in one of the two forms in which providers report it.
protocol ExchangeResult: Sendable {
    init(_ error: any Error)
    init(status: Int, for request: URLRequest)
}

/// The arguments of a ``RequestNetworkingCompletionCallback``.
struct CallbackResult: ExchangeResult {
    let response: HTTPURLResponse?
    let body: Data?
    let error: (any Error)?

    private init(_ response: HTTPURLResponse?, _ body: Data?, _ error: (any Error)?) {
        (self.response, self.body, self.error) = (response, body, error)
    }

    init(_ error: any Error) { self.init(nil, nil, error) }

    init(status: Int, for request: URLRequest) {
        let response = request.url.flatMap {
            HTTPURLResponse(url: $0, statusCode: status, httpVersion: "HTTP/1.1", headerFields: ["Content-Length": "0"])
        }
        self.init(response, nil, response == nil ? URLError(.badURL) : nil)
    }

    static func completion(
        _ callback: @escaping RequestNetworkingCompletionCallback
    ) -> @Sendable (CallbackResult) -> Void {
        { callback($0.response, $0.body, $0.error) }
    }

    static func callback(
        _ completion: @escaping @Sendable (CallbackResult) -> Void
    ) -> RequestNetworkingCompletionCallback {
        { completion(CallbackResult($0, $1, $2)) }
    }
}

extension NetworkResponse: ExchangeResult {
    init(_ error: any Error) { self.init(head: nil, body: nil, error: error) }

    init(status: Int, for request: URLRequest) {
        let head = Head(status: status, fields: HeaderFields(["Content-Length": "0"]), url: request.url)
        self.init(head: head, body: nil, error: nil)
    }
}

/// A request that waits before it starts, or that has its result without the network.
@MainActor
final class InterceptedExchange<Result: ExchangeResult>: TimedNetworking {
    private var inner: (any RequestNetworking)?
    /// The completion; nil after the request was started or answered.
    private var completion: (@Sendable (Result) -> Void)?

    /// Only a request that is delayed has its completion after the initializer has returned.
    var isWaitingForTimer: Bool { completion != nil || (inner as? any TimedNetworking)?.isWaitingForTimer ?? false }

    init(
        _ request: URLRequest, _ decision: ExchangeDecision, _ completion: @escaping @Sendable (Result) -> Void,
        _ begin: @escaping @MainActor (@escaping @Sendable (Result) -> Void) -> any RequestNetworking
    ) {
        self.completion = completion
        if decision.delay > 0 {
            SiestaClock.current.schedule(after: decision.delay) { self.proceed(request, decision.substitute, begin) }
        } else {
            proceed(request, decision.substitute, begin)
        }
    }

    private func proceed(
        _ request: URLRequest, _ substitute: ExchangeDecision.Substitute?,
        _ begin: @MainActor (@escaping @Sendable (Result) -> Void) -> any RequestNetworking
    ) {
        guard let completion = completion.take() else { return }
        switch substitute {
        case .failure(let code): answer(Result(URLError(code)), completion)
        case .status(let status): answer(Result(status: status, for: request), completion)
        case nil: inner = begin(completion)
        }
    }

    /// Answers without the network, but not during a call of the provider.
    private func answer(_ result: Result, _ completion: @escaping @Sendable (Result) -> Void) {
        DispatchQueue.global(qos: .userInitiated).async { completion(result) }
    }

    func cancel() {
        if let inner { return inner.cancel() }
        guard let completion = completion.take() else { return }
        answer(Result(URLError(.cancelled)), completion)
    }

    var transferMetrics: RequestTransferMetrics { inner?.transferMetrics ?? .nothing }

    var requestMetrics: RequestMetrics? { inner?.requestMetrics }
}
