public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A type that carries out HTTP requests for Siesta: it takes a request, and reports one response or error.
///
/// Implement this protocol to use Siesta with another HTTP library, or to respond without a network. If the HTTP client
/// has an async function, use an ``AsyncNetworkingProvider`` instead.
///
/// The provider must follow redirects. The URL of the response is the URL after the last redirect. The provider must
/// report status codes, headers and bodies unchanged. A status of 400 or more is also a response, and not an error.
public protocol NetworkingProvider: NetworkingProviderConvertible {
    /// Starts `request` and returns a handle at once.
    ///
    /// Call `completion` exactly once, on any thread, even after `cancel()`. Pass the response and its body, or the
    /// error. A nil body is the same as an empty body. Complete a cancelled request with `URLError.cancelled`.
    #if Swift5Clients
    @preconcurrency
    #endif
    @MainActor func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking
}

/// A closure that receives the result of one request: the response, its body, and the error, if any.
public typealias RequestNetworkingCompletionCallback = @Sendable (HTTPURLResponse?, Data?, (any Error)?) -> Void

/// A request that a ``NetworkingProvider`` has in progress.
public protocol RequestNetworking {
    /// Ends the request if it is still running. This method may be called at any time, and more than once.
    #if Swift5Clients
    @preconcurrency
    #endif
    @MainActor func cancel()

    /// The progress of the transfer. The library reads this property several times a second while the progress is
    /// observed.
    #if Swift5Clients
    @preconcurrency
    #endif
    @MainActor var transferMetrics: RequestTransferMetrics { get }

    /// The metrics of the request after its end. The value is nil before the end, or if the provider does not measure
    /// its requests.
    #if Swift5Clients
    @preconcurrency
    #endif
    @MainActor var requestMetrics: RequestMetrics? { get }
}

extension RequestNetworking {
    /// Nil, because by default, a provider does not measure its requests.
    @MainActor public var requestMetrics: RequestMetrics? { nil }
}

/// A value that can be converted to a ``NetworkingProvider``: a provider, a session, or a session configuration.
public protocol NetworkingProviderConvertible {
    /// The provider for this value.
    #if Swift5Clients
    @preconcurrency
    #endif
    @MainActor var siestaNetworkingProvider: any NetworkingProvider { get }
}

extension NetworkingProvider {
    /// The provider itself.
    public var siestaNetworkingProvider: any NetworkingProvider { self }
}

/// A request in progress that may wait for a timer instead of a network.
package protocol TimedNetworking: RequestNetworking {
    /// True while nothing happens before a timer is due.
    @MainActor var isWaitingForTimer: Bool { get }
}
