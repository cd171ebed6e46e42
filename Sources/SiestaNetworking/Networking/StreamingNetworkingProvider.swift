#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// A provider that can read request bodies while it sends them, and pass on responses while they arrive.
///
/// Uploads and downloads of any size, and ``Resource/bytes``, need such a provider. `CurlProvider` supports all of
/// them. A `URLSessionConfiguration` supports all except bodies that can be read only once. ``DefaultNetworking`` uses
/// one of these two. Every other provider accepts an `InputStream`, and therefore supports uploads whose body can be
/// read again. With such a provider, all other transfers fail with ``RequestError/Code/streamingUnsupported``.
public protocol StreamingNetworkingProvider: NetworkingProvider {
    /// Starts `request` and returns a handle at once.
    ///
    /// If `body` is not nil, this body replaces the body of the request. Send the body with `Content-Length` if its
    /// length is known, and in chunks otherwise (RFC 9112 §6). If `receiver` is not nil, the receiver receives the body
    /// of the response, and `completion` receives nil. Otherwise the body is kept in memory, as for any request.
    ///
    /// Call `completion` exactly once, on any thread, even after `cancel()`, and after the last call to the receiver
    /// has returned. If the body's reader or the receiver has thrown an error, pass this error unchanged.
    #if Swift5Clients
    @preconcurrency
    #endif
    @MainActor func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking
}
