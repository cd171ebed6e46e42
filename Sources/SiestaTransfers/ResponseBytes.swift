public import Foundation
public import SiestaCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// An asynchronous sequence of the pieces of a response body, as the network delivers them:
///
///     for try await piece in resource.bytes { hash.update(data: piece) }
///
/// Each iteration sends its own request when its first piece is requested, with the headers that are configured for the
/// method. Decorators do not apply to the request, and the request does not change the resource's state. The pipeline
/// does not process successful responses.
///
/// If the request fails, the first call to `next()` throws a ``RequestError``. A status of 400 or more is a failure,
/// and so is a partial response that was not requested. The pipeline processes error responses, but only the first
/// megabyte of the body. If the connection is lost during the response, the iteration delivers the received pieces, and
/// then throws the error. As long as no piece has arrived, a failed request is sent again according to
/// ``Configuration/retry``.
///
/// If the consumer is slow, the server has to wait: at most 4 MB are buffered between the socket and the consumer. The
/// transfer ends when the loop exits or the task is cancelled. If the task is cancelled, the iteration throws an error
/// with the cause ``RequestError/Cause/RequestCancelled``. If the task is cancelled before it requests the first piece,
/// no request is sent.
///
/// `URLSession` on Linux cannot make a server wait. With this provider, the iteration fails with
/// `URLError.dataLengthExceedsMaximum` when 64 MB are buffered. If the provider does not support streaming, the
/// iteration fails with ``RequestError/Code/streamingUnsupported``.
public struct ResponseBytes: AsyncSequence, Sendable {
    /// A piece of the response. A piece is never empty, and its size varies.
    public typealias Element = Data

    /// The type of the errors that an iteration throws.
    public typealias Failure = RequestError

    let resource: Resource
    let method: RequestMethod
    let mutation: (@MainActor @Sendable (inout URLRequest) -> Void)?

    @MainActor
    var recipe: NetworkRequest.Recipe {
        NetworkRequest.Recipe(resource: resource, method: method, mutation: mutation.map { mutate in { mutate(&$0) } })
            .unprocessed
    }

    /// Creates an iterator, which sends the request when its first piece is requested.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(response: StreamedResponse(of: resource) { recipe })
    }

    /// The iterator of one loop over the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let response: StreamedResponse

        /// Waits for the next piece. Returns nil at the end of the response.
        public mutating func next() async throws(RequestError) -> Data? { try await response.next() }

        /// Waits for the next piece. Returns nil at the end of the response.
        public mutating func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
            try await response.next()
        }
    }
}

/// Not `Sendable`: an iteration belongs to one task.
@available(*, unavailable)
extension ResponseBytes.AsyncIterator: Sendable {}

extension Resource {
    /// The body of the response to a GET request to this resource, delivered in pieces as it arrives; see
    /// ``ResponseBytes``.
    public nonisolated var bytes: ResponseBytes { bytes() }

    /// Returns the body of the response to a request to this resource, delivered in pieces as it arrives; see
    /// ``ResponseBytes``.
    ///
    /// The iteration fails if the server sends no bytes for the duration of the time-out. This is the time-out of the
    /// provider, unless `requestMutation` sets a `timeoutInterval`.
    public nonisolated func bytes(
        _ method: RequestMethod = .get,
        requestMutation: (@MainActor @Sendable (_ request: inout URLRequest) -> Void)? = nil
    ) -> ResponseBytes {
        ResponseBytes(resource: self, method: method, mutation: requestMutation)
    }
}
