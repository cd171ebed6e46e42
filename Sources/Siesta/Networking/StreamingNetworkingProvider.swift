#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// A provider that can send bodies while they are read, and hand out responses while they come.
///
/// It is what uploads and downloads of any size, and ``Resource/bytes``, need. `CurlProvider` can do all of it, a
/// `URLSessionConfiguration` all but bodies that can be read only once, and ``DefaultNetworking`` uses one of the two.
/// On a provider that does not conform, uploads that can be read again still work, since every provider takes an
/// `InputStream`; everything else fails with ``RequestError/Cause/StreamingUnsupported``.
public protocol StreamingNetworkingProvider: NetworkingProvider {
    /// Starts `request` and returns a handle on it without waiting.
    ///
    /// A `body` takes the place of the request's own, and decides about the framing: `Content-Length` if its length is
    /// known, else chunks (RFC 9112 §6). The body of the answer goes to `receiver`, and `completion` gets nil in its
    /// place; without a receiver it is kept in memory, as for any request.
    ///
    /// Call `completion` exactly once, on any thread, also after `cancel()`, and after the last call to the receiver
    /// has returned. An error that the body's reader or the receiver has thrown is passed to it as it is.
    @preconcurrency @MainActor func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking
}
