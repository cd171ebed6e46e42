public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A type that carries out HTTP requests for Siesta. For each request, it reports one response or one error.
///
/// Implement this protocol to use Siesta with another HTTP library, or to respond without a network. If that library
/// has an async function for requests, use an ``AsyncNetworkingProvider`` instead.
///
/// A provider must follow redirects, and report the URL after the last redirect as the URL of the response. It must
/// report status codes, headers and bodies unchanged. A response with a status of 400 or more is also reported as a
/// response, not as an error.
public protocol NetworkingProvider: NetworkingProviderConvertible {
    /// Starts `request` and returns a handle at once.
    ///
    /// Call `completion` exactly once, on any thread, even after `cancel()`. Pass the response and its body, or the
    /// error. A nil body is treated like an empty body. Complete a cancelled request with `URLError.cancelled`.
    #if Swift5Clients
    @preconcurrency
    #endif
    @MainActor func startRequest(
        _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking
}

/// A closure that receives the result of one request: the response, its body, and the error, if any.
public typealias RequestNetworkingCompletionCallback = @Sendable (HTTPURLResponse?, Data?, (any Error)?) -> Void

/// A handle to a request that a ``NetworkingProvider`` has started.
public protocol RequestNetworking {
    /// Cancels the request if it is still running. This method may be called at any time, and more than once.
    #if Swift5Clients
    @preconcurrency
    #endif
    @MainActor func cancel()

    /// The progress of the transfer. While the app observes the progress, the library reads this property several times
    /// a second.
    #if Swift5Clients
    @preconcurrency
    #endif
    @MainActor var transferMetrics: RequestTransferMetrics { get }

    /// The metrics of the completed request; nil while the request is running, or if the provider does not measure its
    /// requests.
    #if Swift5Clients
    @preconcurrency
    #endif
    @MainActor var requestMetrics: RequestMetrics? { get }
}

extension RequestNetworking {
    /// Nil by default: the provider does not measure its requests.
    @MainActor public var requestMetrics: RequestMetrics? { nil }
}

/// A value that can be converted to a ``NetworkingProvider``: a provider, a session, or a session configuration.
public protocol NetworkingProviderConvertible {
    /// The provider to which this value is converted.
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
