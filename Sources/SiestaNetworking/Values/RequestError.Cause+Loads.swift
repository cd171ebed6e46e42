public import Foundation

extension RequestError.Cause {
    /// The response to a load, a download or a stream is a redirect that was not followed. The redirect has no address,
    /// or an address that cannot or must not be used. The body of a redirect is not the resource's content.
    ///
    /// All other requests succeed with such a response and its headers.
    public struct RedirectNotFollowed: LocalizedError {
        /// The status code, from 300 to 399.
        public let statusCode: Int

        public init(statusCode: Int) {
            self.statusCode = statusCode
        }

        /// The message ``UserMessages/redirectNotFollowed``.
        public var errorDescription: String? { UserMessages.current.redirectNotFollowed }
    }

    /// The response does not answer the request: the server has sent only a part of the content, or has switched to
    /// another protocol, although this was not requested. The body is the ``RequestError/entity`` of the error.
    ///
    /// These responses need a field in the request:
    ///
    /// - A part in bytes needs `Range` (RFC 9110 §14). The response has the status 206, or a `Content-Range` in
    ///   bytes. A `Content-Range` in another unit, such as `items 0-24/319`, belongs to complete content, for example
    ///   to a page of a list.
    /// - A difference, with the status 226, needs `A-IM` (RFC 3229).
    /// - Another protocol, with the status 101, needs `Upgrade` (RFC 9110 §7.8). Other statuses below 200 are not
    ///   responses.
    public struct UnrequestedResponse: LocalizedError {
        /// The status code.
        public let statusCode: Int

        public init(statusCode: Int) {
            self.statusCode = statusCode
        }

        /// The message ``UserMessages/cannotParseResponse``.
        public var errorDescription: String? { UserMessages.current.cannotParseResponse }
    }

    /// A request would never complete: chains make it wait for itself, or its chains and decorators make new requests
    /// endlessly.
    ///
    /// A chain fails if its closure returns `.passTo` with a request that waits for the chain itself, and after 10 000
    /// chains of which each was made by the closure of the previous one. A request fails before it is sent after 20
    /// requests with the same URL and method, each made by the decorators of the previous one, and if 100 decorators
    /// are nested. An example is a sign-in request whose own decorator sends another sign-in request after a failure.
    public struct EndlessChain: LocalizedError, CustomStringConvertible {
        /// The requests of the chain, each as method and path. Contains only the first and the last requests of a long
        /// chain.
        public let requests: [String]

        public init(requests: [String]) {
            self.requests = requests
        }

        /// The message ``UserMessages/requestFailed``.
        public var errorDescription: String? { UserMessages.current.requestFailed }

        /// The requests, each followed by the request for which it waits.
        public var description: String {
            PreparedText.line("endless chain of requests: " + requests.joined(separator: " → "))
        }
    }
}

extension RequestError.Cause {
    /// The caller did not allow the use of the network, and no acceptable response is stored. The error has the status 504
    /// (RFC 9111 §5.2.1.7), which does not come from a server.
    public struct NotStored: LocalizedError {
        public init() {}

        /// The message ``UserMessages/noLocalData``.
        public var errorDescription: String? { UserMessages.current.noLocalData }
    }
}
