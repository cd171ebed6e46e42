import Foundation
package import SiestaCore

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
        next.startRequest(rerouted(request), completion: restoring(request, for: completion))
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

    /// Returns a completion that receives responses with the URL of the request. With another URL, a response would look
    /// as if there had been a redirect.
    private func restoring(
        _ request: URLRequest, for completion: @escaping RequestNetworkingCompletionCallback
    ) -> RequestNetworkingCompletionCallback {
        let (source, target) = (request.url, rerouted(request).url)
        guard let source, source != target else { return completion }
        return { response, body, error in
            completion(response.map { $0.url == target ? $0.renamed(source) : $0 }, body, error)
        }
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
            streaming.startRequest(
                rerouted(request), body: body, receiver: receiver,
                completion: restoring(request, for: completion))
        }
    }
}

extension HTTPURLResponse {
    fileprivate func renamed(_ url: URL) -> HTTPURLResponse {
        let fields = allHeaderFields.map { ("\($0.key)", "\($0.value)") }
        return HTTPURLResponse(
            url: url, statusCode: statusCode, httpVersion: "HTTP/1.1",
            headerFields: Dictionary(fields) { first, _ in first }) ?? self
    }
}
