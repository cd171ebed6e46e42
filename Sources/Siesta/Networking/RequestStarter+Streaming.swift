import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension RequestStarter {
    /// Starts a request whose body is read while it is sent, and keeps the response in memory.
    ///
    /// A provider without streaming receives the body in memory, or as an `InputStream` of a file. If necessary, the
    /// body is copied to a file. A body that can be read only once is not copied, because it may never end.
    func start(
        _ request: URLRequest, body: any StreamedBody, extras: RequestExtras? = nil, tracksRedirects: Bool = false,
        answering completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        let hasURL = extras != nil && extrasProvider != nil
        let complete: RequestNetworkingCompletionCallback = {
            let chain = NetworkResponse.RedirectChain(from: request.url, to: $0?.url, isNeeded: tracksRedirects)
            completion(NetworkResponse($0, $1, $2, after: chain, hasURL: hasURL))
        }
        if let streaming = streamingProvider {
            guard body.length == 0, !body.isRepeatable else {
                return start(streaming, request, body: body, receiver: nil, extras, completion: complete)
            }
            return AnnouncedEmptyBodyRequest(body, completion: complete) {
                start(streaming, request, body: $0, receiver: nil, extras, completion: complete)
            }
        }
        guard body.isRepeatable else { return unsupported(complete) }
        return SpooledRequest(request, body: body, completion: complete) { [provider] request, completion in
            provider.startRequest(request, completion: completion)
        }
    }

    /// Starts a request whose response goes to `receiver` while it arrives.
    func start(
        _ request: URLRequest, receiver: any ResponseReceiver, extras: RequestExtras? = nil,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        guard let streaming = streamingProvider else { return unsupported(completion) }
        return start(streaming, request, body: nil, receiver: receiver, extras, completion: completion)
    }

    private func unsupported(_ completion: @escaping RequestNetworkingCompletionCallback) -> any RequestNetworking {
        FailedStart(RequestError.Cause.StreamingUnsupported(provider: type(of: provider)), completion)
    }

    /// Starts a request. A provider of the app ignores the extras.
    private func start(
        _ streaming: any StreamingNetworkingProvider, _ request: URLRequest, body: (any StreamedBody)?,
        receiver: (any ResponseReceiver)?, _ extras: RequestExtras?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        if let extras, let extrasProvider {
            return extrasProvider.startRequest(
                request, body: body, receiver: receiver, extras: extras, completion: completion)
        }
        return streaming.startRequest(request, body: body, receiver: receiver, completion: completion)
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
    /// The metrics of a request that has sent and received nothing.
    static var nothing: RequestTransferMetrics {
        RequestTransferMetrics(
            requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)
    }
}
