public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The seam between Siesta and whatever moves bytes: one request in, one answer out.
///
/// Implement it to run Siesta on another HTTP library, or to answer without a network. Redirects are the provider's to
/// follow; status codes, headers and bodies are passed on as they came, an HTTP error included.
public protocol NetworkingProvider: NetworkingProviderConvertible {
    /// Starts `request` and returns a handle on it without waiting.
    ///
    /// Call `completion` exactly once, on any thread, also after `cancel()`: with the response and its body (nil and an
    /// empty `Data` mean the same), or with the error that prevented one.
    @preconcurrency @MainActor func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking
}

/// Takes what a provider got for one request: the response, its body, and the error if there was one.
public typealias RequestNetworkingCompletionCallback = @Sendable (HTTPURLResponse?, Data?, (any Error)?) -> Void

/// A request that a ``NetworkingProvider`` has in progress.
public protocol RequestNetworking {
    /// Ends the request if it still runs; allowed at any moment, any number of times.
    @preconcurrency @MainActor func cancel()

    /// What was moved so far; asked several times a second while anyone watches the progress.
    @preconcurrency @MainActor var transferMetrics: RequestTransferMetrics { get }

    /// What the request took, once it is over; nil before, and from a provider that does not measure.
    @preconcurrency @MainActor var requestMetrics: RequestMetrics? { get }
}

extension RequestNetworking {
    /// Nil: not measured.
    public var requestMetrics: RequestMetrics? { nil }
}

/// Whatever can be turned into a ``NetworkingProvider``: a provider, a session, a session configuration.
public protocol NetworkingProviderConvertible {
    /// The provider that this value stands for.
    @preconcurrency @MainActor var siestaNetworkingProvider: any NetworkingProvider { get }
}

extension NetworkingProvider {
    /// The provider itself.
    public var siestaNetworkingProvider: any NetworkingProvider { self }
}
