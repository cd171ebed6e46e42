#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

extension NetworkingProvider {
    /// The provider as a transport.
    @MainActor package var transport: any Transport { self as? any Transport ?? ProviderTransport(self) }
}

/// A transport that sends requests through a provider of an app. It ignores what a `URLRequest` cannot express: the
/// provider performs no login, and follows redirects by its own rules.
@MainActor
package final class ProviderTransport: nonisolated Transport {
    let provider: any NetworkingProvider
    // The results of casts are kept, because a cast to a protocol takes time. It also fails outside a task of the main
    // actor if the conformance of the app's provider belongs to the main actor (SE-0470).
    private let streaming: (any StreamingNetworkingProvider)?
    package let addedFields: AddedFields

    package init(_ provider: any NetworkingProvider) {
        self.provider = provider
        streaming = provider as? any StreamingNetworkingProvider
        let session = (provider as? URLSessionProvider)?.session
        addedFields = session.map { AddedFields($0.configuration) } ?? AddedFields(keepsCookies: false)
    }

    package var capabilities: TransportCapabilities { streaming == nil ? [] : .streaming }

    /// Starts a call. A provider without streaming receives the body in memory, or as an `InputStream` of a file. If
    /// necessary, the body is copied to a file. A body that can be read only once is not copied, because it may never end.
    package func start(
        _ call: TransportCall, completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        guard call.isStreamed else { return start(call.request, call, completion) }
        if let streaming {
            let callback = callback(call, completion)
            return streaming.startRequest(
                call.request, body: call.body, receiver: call.receiver, completion: callback)
        }
        guard call.receiver == nil, let body = call.body, body.isRepeatable else {
            return FailedStart(RequestError.Failure.streamingUnsupported(by: type(of: provider)), completion)
        }
        return SpooledRequest(call.request, body: body, completion: completion) { self.start($0, call, $2) }
    }

    package func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        provider.startRequest(request, completion: completion)
    }

    private func start(
        _ request: URLRequest, _ call: TransportCall, _ completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        provider.startRequest(request, completion: callback(call, completion))
    }

    private func callback(
        _ call: TransportCall, _ completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> RequestNetworkingCompletionCallback {
        let (source, hasURL) = (call.needsRedirects ? call.request.url : nil, call.needsURL)
        return { response, body, error in
            let chain = NetworkResponse.RedirectChain(from: source, to: response?.url)
            completion(NetworkResponse(response, body, error, after: chain, hasURL: hasURL))
        }
    }
}
