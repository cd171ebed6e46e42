public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A response while it comes, in pieces as the network brings them:
///
///     for try await piece in resource.bytes { hash.update(data: piece) }
///
/// Each iteration sends a request of its own when it asks for the first piece, with the headers configured for the
/// method; decorators and pipeline are not asked, and the resource's state does not change. A failure, a status of 400
/// or more included, is thrown as a ``RequestError`` in place of the first piece (through the pipeline, with the first
/// MB of the error's body), or later if the response breaks off: what came before is not the whole then.
///
/// While the consumer takes its time, the server has to wait: no more than 4 MB are on the way between the socket and
/// the consumer. Ending the iteration ends the transfer: leaving the loop, or cancelling the task, which throws
/// ``RequestError/Cause/RequestCancelled``. A task that is cancelled before it asks for the first piece sends nothing.
///
/// With `URLSession` on Linux, which cannot make a server wait, it fails with `URLError.dataLengthExceedsMaximum` once
/// 64 MB wait. A provider that does not stream at all fails with ``RequestError/Cause/StreamingUnsupported``.
public struct ResponseBytes: AsyncSequence, Sendable {
    /// Never empty, of any size up to the bound.
    public typealias Element = Data

    /// The only error.
    public typealias Failure = RequestError

    /// Changes the request before it is sent.
    public typealias RequestMutation = @MainActor @Sendable (inout URLRequest) -> Void

    let resource: Resource
    let method: RequestMethod
    let mutation: RequestMutation?

    @MainActor
    var recipe: NetworkRequest.Recipe {
        NetworkRequest.Recipe(resource: resource, method: method, mutation: mutation.map { mutate in { mutate(&$0) } })
    }

    /// Begins an iteration; nothing is sent before it asks for a piece.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lease: StreamLease(self))
    }

    /// One iteration.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let lease: StreamLease

        /// Waits for the next piece; nil at the end of the response.
        public mutating func next() async throws(RequestError) -> Data? { try await lease.next() }

        /// Waits for the next piece; nil at the end of the response.
        public mutating func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
            try await lease.next()
        }
    }
}

/// One iteration belongs to one task.
@available(*, unavailable)
extension ResponseBytes.AsyncIterator: Sendable {}

extension Resource {
    /// The response to a GET of this resource while it comes; see ``ResponseBytes``.
    public nonisolated var bytes: ResponseBytes { bytes() }

    /// The response to a request while it comes; see ``ResponseBytes``.
    ///
    /// Silence of the server ends it as it ends any request: after the time-out of the provider, or the
    /// `timeoutInterval` that `requestMutation` sets.
    public nonisolated func bytes(
        _ method: RequestMethod = .get, requestMutation: ResponseBytes.RequestMutation? = nil
    ) -> ResponseBytes {
        ResponseBytes(resource: self, method: method, mutation: requestMutation)
    }
}
