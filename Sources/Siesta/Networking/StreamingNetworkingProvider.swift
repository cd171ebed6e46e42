#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// A provider that can read request bodies while it sends them, and pass on responses while they arrive.
///
/// Uploads and downloads of any size, and ``Resource/bytes``, need such a provider. `CurlProvider` supports everything;
/// a `URLSessionConfiguration` supports everything except bodies that can be read only once; ``DefaultNetworking`` uses
/// one of the two. With other providers, uploads that can be read again still work, since every provider accepts an
/// `InputStream`. Everything else fails with ``RequestError/Cause/StreamingUnsupported``.
public protocol StreamingNetworkingProvider: NetworkingProvider {
    /// Starts `request` and returns a handle at once.
    ///
    /// If `body` is not nil, it replaces the body of the request and determines the framing: `Content-Length` if its
    /// length is known, otherwise chunks (RFC 9112 §6). If `receiver` is not nil, it gets the body of the response, and
    /// `completion` gets nil instead; otherwise the body is kept in memory, as for any request.
    ///
    /// Call `completion` exactly once, on any thread, even after `cancel()`, and after the last call to the receiver
    /// has returned. Pass an error that the body's reader or the receiver has thrown unchanged.
    @preconcurrency @MainActor func startRequest(
        _ request: URLRequest, body: (any StreamedBody)?, receiver: (any ResponseReceiver)?,
        completion: @escaping RequestNetworkingCompletionCallback
    ) -> any RequestNetworking
}
