import Dispatch
import Foundation
package import Siesta

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// A network that a key switches off and on. While it is off, all requests fail as they do without a connection.
@MainActor
package final class SwitchedNetwork: NetworkingProvider {
    /// The switch.
    package let status: ManualNetworkStatus
    private let provider: any NetworkingProvider

    /// Creates a network that is on.
    package init(_ networking: any NetworkingProviderConvertible = DefaultNetworking()) {
        (status, provider) = (ManualNetworkStatus(), networking.siestaNetworkingProvider)
    }

    package func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        guard !status.isConnected else { return provider.startRequest(request, completion: completion) }
        DispatchQueue.global().async { completion(nil, nil, URLError(.notConnectedToInternet)) }
        return NotSent()
    }

    private struct NotSent: RequestNetworking {
        var transferMetrics: RequestTransferMetrics {
            RequestTransferMetrics(
                requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)
        }

        func cancel() {}
    }
}
