public import SiestaCore

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

extension Resource {
    /// Creates a resource in a given state, for a preview of a screen or for a screenshot.
    ///
    ///     let views = [
    ///         ProfileView(user: .preview(.loading)),
    ///         ProfileView(user: .preview(.data(User(name: "Ada")))),
    ///         ProfileView(user: .preview(.error("The server is being repaired"))),
    ///     ]
    ///
    /// The resource has this state as soon as the function returns. It belongs to a separate service, and never uses
    /// the network or a cache. If the state is loading, loads that the screen starts never end. In all other states,
    /// such loads are cancelled, and change nothing. A resource that is loading stays in memory until its load is
    /// cancelled.
    public static func preview(_ state: ResourcePreview<Any>) -> Resource {
        let service = Service(baseURL: "http://preview.test", networking: PreviewNetwork(isSilent: state.isLoading))
        service.configure {
            $0.expirationTime = .infinity
            $0.retryTime = .infinity
        }
        let resource = service.resource("/")
        let data = state.content.map { Entity<Any>(content: $0, contentType: "application/binary") }
        resource.setPreview(data: data, error: state.error)
        if state.isLoading { resource.load() }
        return resource
    }
}

extension TypedResource {
    /// Creates a resource in a given state, for a preview of a screen or for a screenshot; see
    /// `Resource.preview(_:)`.
    public static func preview(_ state: ResourcePreview<Content>) -> TypedResource {
        Resource.preview(state.untyped).typed()
    }
}

extension ResourcePreview {
    fileprivate var untyped: ResourcePreview<Any> {
        let content = content.map { $0 as Any }
        if let error { return .error(error, showing: content) }
        guard isLoading else { return content.map { .data($0) } ?? .empty }
        return content.map { .loading(showing: $0) } ?? .loading
    }
}

/// A network that cancels each request, or never responds.
private struct PreviewNetwork: NetworkingProvider {
    let isSilent: Bool

    func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking {
        if !isSilent { completion(nil, nil, URLError(.cancelled)) }
        return Handle()
    }

    /// The cancelled request has ended for Siesta; nothing is left to complete.
    private struct Handle: RequestNetworking {
        func cancel() {}

        var transferMetrics: RequestTransferMetrics {
            RequestTransferMetrics(
                requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)
        }
    }
}
