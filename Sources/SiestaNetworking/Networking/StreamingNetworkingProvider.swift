#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// A provider that can read a request body while it sends the body, and pass on a response while it arrives.
///
/// Downloads, ``Resource/bytes`` and uploads of sequences need such a provider. `CurlProvider` supports all of these
/// transfers. The provider of a `URLSessionConfiguration` supports all of them except uploads of bodies that can be
/// read only once. ``DefaultNetworking`` uses one of these two providers. A provider that does not conform to this
/// protocol receives the body of an upload in memory, or as an `InputStream`. With such a provider, an upload works if
/// its body can be read again. All other transfers fail with ``RequestError/Code/streamingUnsupported``.
public protocol StreamingNetworkingProvider: NetworkingProvider {
    /// Starts `request` and returns a handle at once.
    ///
    /// If `body` is not nil, this body replaces the body of the request. Send the body with `Content-Length` if its
    /// length is known, and in chunks otherwise (RFC 9112 §6). If `receiver` is not nil, pass the response to it, and
    /// call `completion` with a nil body. Otherwise, keep the body of the response in memory, as for any request.
    ///
    /// Call `completion` exactly once, on any thread, even after `cancel()`. If there is a receiver, first wait until
    /// the last call to it has returned. If the body's reader or the receiver has thrown an error, pass this error to
    /// `completion` unchanged.
    #if Swift5Clients
    @preconcurrency
    #endif
    @MainActor func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking
}
