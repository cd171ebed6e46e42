import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension RequestStarter {
    /// Starts a request whose body is read while it is sent, and keeps the response in memory.
    ///
    /// A provider without streaming gets the body in memory, or as an `InputStream` for a file, into which the body is
    /// copied if necessary. A body that can be read only once is not copied, since it may never end.
    func start(
        _ request: URLRequest, body: any StreamedBody,
        answering completion: @escaping @Sendable (ProviderAnswer) -> Void
    ) -> any RequestNetworking {
        let complete: RequestNetworkingCompletionCallback = { response, data, error in
            let head = response.map { ProviderAnswer.Head(status: $0.statusCode, fields: HeaderFields($0)) }
            completion(ProviderAnswer(head: head, body: data, error: error))
        }
        if let streaming = provider as? any StreamingNetworkingProvider {
            guard body.length == 0, !body.isRepeatable else {
                return streaming.startRequest(request, body: body, receiver: nil, completion: complete)
            }
            return EmptyBodyRequest(body, completion: complete) {
                streaming.startRequest(request, body: $0, receiver: nil, completion: complete)
            }
        }
        guard body.isRepeatable else { return unsupported(complete) }
        return SpooledRequest(request, body: body, completion: complete) { [provider] request, completion in
            provider.startRequest(request, completion: completion)
        }
    }

    /// Starts a request whose response goes to `receiver` while it arrives.
    func start(
        _ request: URLRequest, receiver: any ResponseReceiver, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        guard let streaming = provider as? any StreamingNetworkingProvider else { return unsupported(completion) }
        return streaming.startRequest(request, body: nil, receiver: receiver, completion: completion)
    }

    private func unsupported(_ completion: @escaping RequestNetworkingCompletionCallback) -> any RequestNetworking {
        FailedStart(RequestError.Cause.StreamingUnsupported(provider: type(of: provider)), completion)
    }
}

/// A request that failed before it reached the network.
@MainActor
struct FailedStart: RequestNetworking {
    init(_ error: any Error, _ completion: @escaping RequestNetworkingCompletionCallback) {
        DispatchQueue.global(qos: .userInitiated).async { completion(nil, nil, error) }
    }

    func cancel() {}

    var transferMetrics: RequestTransferMetrics { .nothing }
}

extension RequestTransferMetrics {
    /// Metrics of a request for which nothing was sent or received.
    static var nothing: RequestTransferMetrics {
        RequestTransferMetrics(
            requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)
    }
}
