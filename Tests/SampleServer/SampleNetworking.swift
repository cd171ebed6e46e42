import Foundation
package import Siesta

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// Passes requests to another provider, and sends those for the hosts of the samples to the server of the sample.
@MainActor
package class SampleNetworking: NetworkingProvider {
    private let next: any NetworkingProvider
    private let server: SampleServer

    private init(_ next: any NetworkingProvider, _ server: SampleServer) {
        self.next = next
        self.server = server
    }

    /// Returns a provider that streams if `networking` does.
    package static func sending(
        through networking: any NetworkingProviderConvertible, to server: SampleServer
    ) -> any NetworkingProvider {
        let next = networking.siestaNetworkingProvider
        if let next = next as? any StreamingNetworkingProvider { return Streaming(next, server) }
        return SampleNetworking(next, server)
    }

    package func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        next.startRequest(rerouted(request), completion: completion)
    }

    private func rerouted(_ request: URLRequest) -> URLRequest {
        guard let url = request.url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let host = parts.host, host.hasSuffix(".example.com") || host == "api.internal"
        else { return request }
        (parts.scheme, parts.host, parts.port) = ("http", "127.0.0.1", Int(server.port))
        var request = request
        request.url = parts.url
        return request
    }

    private final class Streaming: SampleNetworking, StreamingNetworkingProvider {
        private let streaming: any StreamingNetworkingProvider

        init(_ next: any StreamingNetworkingProvider, _ server: SampleServer) {
            streaming = next
            super.init(next, server)
        }

        func startRequest(
            _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
            completion: @escaping RequestNetworkingCompletionCallback
        ) -> any RequestNetworking {
            streaming.startRequest(rerouted(request), body: body, receiver: receiver, completion: completion)
        }
    }
}
