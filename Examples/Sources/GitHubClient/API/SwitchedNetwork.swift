import Dispatch
import Foundation
package import Siesta

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// A network that a key switches off and on. While it is off, all requests fail as they do without a connection.
@MainActor
package final class SwitchedNetwork: nonisolated StreamingNetworkingProvider {
    /// The switch.
    package let status: NetworkStatus
    private let provider: any NetworkingProvider
    /// The provider if it streams; nil if it answers from a recording.
    private let streaming: (any StreamingNetworkingProvider)?

    /// Creates a network that is on.
    package init(_ networking: any NetworkingProviderConvertible = DefaultNetworking()) {
        (status, provider) = (NetworkStatus(), networking.siestaNetworkingProvider)
        streaming = provider as? any StreamingNetworkingProvider
    }

    package func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        guard status.isConnected else { return NotSent(.notConnectedToInternet, completion) }
        return provider.startRequest(request, completion: completion)
    }

    package func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        guard status.isConnected else { return NotSent(.notConnectedToInternet, completion) }
        guard let streaming else { return NotSent(.unsupportedURL, completion) }
        return streaming.startRequest(request, body: body, receiver: receiver, completion: completion)
    }

    private struct NotSent: RequestNetworking {
        init(_ code: URLError.Code, _ completion: @escaping RequestNetworkingCompletionCallback) {
            DispatchQueue.global().async { completion(nil, nil, URLError(code)) }
        }

        var transferMetrics: RequestTransferMetrics {
            RequestTransferMetrics(
                requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)
        }

        func cancel() {}
    }
}
