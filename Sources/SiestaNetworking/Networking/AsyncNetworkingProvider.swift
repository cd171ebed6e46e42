public import Foundation
import Isolation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A provider that sends requests through an async function of the app, which can use any HTTP client.
///
///     let service = Service(
///         baseURL: "https://api.example.com",
///         networking: AsyncNetworkingProvider { request in try await client.send(request) })
///
/// The function runs in a separate task for each request, off the main actor. Several calls may run at the same time.
/// The function must return the whole body and the response, regardless of the status. The function must also follow
/// redirects, and apply the `timeoutInterval` of the request, because the provider itself has no time-out. If the
/// function throws an error, the request fails with this error as its cause. A `CancellationError` is treated like
/// `URLError.cancelled`.
///
/// If a request is cancelled, it completes at once with `URLError.cancelled`. The provider then cancels the task, and
/// ignores the later result of the function. If the request is cancelled before the function has started, the function
/// is not called. The function should return soon after its task is cancelled. Until then, the transfer continues, and
/// the task stays in memory.
///
/// The function receives these request bodies as `httpBodyStream`: an uploaded file, a form that contains a file, and a
/// form of more than 1 MB. If a `requestMutation` or a closure of ``Configuration/mutateRequests(with:)`` sets an
/// `httpBodyStream`, the function receives this stream. It receives all other request bodies as `httpBody`.
///
/// The provider has these limits:
///
/// - It cannot stream. ``Resource/bytes``, ``Resource/lines``, downloads, and uploads of sequences fail with
///   ``RequestError/Code/streamingUnsupported``.
/// - The whole response body is in memory. Only the HTTP client can limit its size.
/// - It reports no progress while the function runs. When the function has returned, the progress contains the sizes of
///   the request and response bodies.
/// - ``ResponseInfo/metrics`` is nil.
///
/// The HTTP client decides which headers are sent after a redirect.
///
/// The following function uses async-http-client. It rejects a body in `httpBodyStream`, and limits the response body
/// with `collect(upTo:)`. The function was written for async-http-client 1.20. It has not been tested, because this
/// package has no dependencies on other packages.
///
/// <!-- sample: not run, because the package has no dependencies -->
///
///     let overAsyncHTTPClient = AsyncNetworkingProvider { request in
///         guard let url = request.url, request.httpBodyStream == nil
///         else { throw URLError(.requestBodyStreamExhausted) }
///         var outgoing = HTTPClientRequest(url: url.absoluteString)
///         outgoing.method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
///         for (name, value) in request.allHTTPHeaderFields ?? [:] { outgoing.headers.add(name: name, value: value) }
///         if let body = request.httpBody { outgoing.body = .bytes(body) }
///         let response = try await HTTPClient.shared.execute(outgoing, timeout: .seconds(60))
///         let body = try await response.body.collect(upTo: 64_000_000)
///         let headers = Dictionary(response.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
///         let head = HTTPURLResponse(
///             url: url, statusCode: Int(response.status.code), httpVersion: nil, headerFields: headers)
///         guard let head else { throw URLError(.badServerResponse) }
///         return (Data(body.readableBytesView), head)
///     }
public struct AsyncNetworkingProvider: NetworkingProvider, Sendable {
    private let send: @Sendable @concurrent (URLRequest) async throws -> (Data, HTTPURLResponse)

    /// Creates a provider that calls `send` for each request.
    ///
    /// - Parameter send: A function that sends a request, and returns the body and the head of the response. It may be
    ///   called on any thread.
    public init(_ send: @escaping @Sendable @concurrent (URLRequest) async throws -> (Data, HTTPURLResponse)) {
        self.send = send
    }

    /// Calls the provider's function in a new task. `completion` may run on any thread except the main thread.
    public func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        let exchange = AsyncExchange(request, completion)
        exchange.start(request, send)
        return exchange
    }
}

/// A request that an ``AsyncNetworkingProvider`` has in progress. Any thread may use it.
private final class AsyncExchange: RequestNetworking, Sendable {
    private struct State {
        /// The completion; nil after it was called.
        var completion: RequestNetworkingCompletionCallback?
        /// The task of the function; nil after the end of the request.
        var task: Task<Void, Never>?
        var metrics: RequestTransferMetrics
    }

    private let state: Locked<State>

    init(_ request: URLRequest, _ completion: @escaping RequestNetworkingCompletionCallback) {
        var metrics = RequestTransferMetrics.nothing
        if request.httpBodyStream == nil { metrics.requestBytesTotal = Int64(request.httpBody?.count ?? 0) }
        state = Locked(State(completion: completion, task: nil, metrics: metrics))
    }

    func start(
        _ request: URLRequest,
        _ send: @escaping @Sendable @concurrent (URLRequest) async throws -> (Data, HTTPURLResponse)
    ) {
        let task = Task { @concurrent in
            guard !Task.isCancelled else { return }
            do {
                let (body, response) = try await send(request)
                complete(response, body, nil)
            } catch {
                complete(nil, nil, error is CancellationError ? URLError(.cancelled) : error)
            }
        }
        state.withLock { if $0.completion != nil { $0.task = task } }
    }

    func cancel() {
        let (completion, task) = end()
        guard let completion else { return }
        // The completion is not called during a call of this method.
        DispatchQueue.global(qos: .userInitiated).async { completion(nil, nil, URLError(.cancelled)) }
        task?.cancel()
    }

    var transferMetrics: RequestTransferMetrics { state.withLock { $0.metrics } }

    private func complete(_ response: HTTPURLResponse?, _ body: Data?, _ error: (any Error)?) {
        end(receiving: body).completion?(response, body, error)
    }

    /// Ends the request, unless it has ended. The first caller gets the completion.
    private func end(
        receiving body: Data? = nil
    ) -> (completion: RequestNetworkingCompletionCallback?, task: Task<Void, Never>?) {
        state.withLock { state in
            defer { (state.completion, state.task) = (nil, nil) }
            guard state.completion != nil else { return (nil, nil) }
            if let body {
                state.metrics.requestBytesSent = state.metrics.requestBytesTotal ?? 0
                state.metrics.responseBytesReceived = Int64(body.count)
                state.metrics.responseBytesTotal = Int64(body.count)
            }
            return (state.completion, state.task)
        }
    }
}
