public import Foundation

extension RequestError.Cause {
    /// The response to a load, a download or a stream is a redirect that was not followed. It names no address, or an
    /// address that must not or cannot be followed. Its body is not the resource's content.
    ///
    /// Requests that are not loads succeed with such a response and its headers.
    public struct RedirectNotFollowed: LocalizedError {
        /// The status code, from 300 to 399.
        public let statusCode: Int

        /// Creates the cause.
        public init(statusCode: Int) {
            self.statusCode = statusCode
        }

        /// The message ``UserMessages/redirectNotFollowed``.
        public var errorDescription: String? { UserMessages.current.redirectNotFollowed }
    }

    /// A request would never complete: chains make it wait for itself, or its chains and decorators make new requests
    /// without end.
    ///
    /// A chain fails if it passes to a request that waits for the chain. It also fails if 10 000 chains were each made
    /// by the closure of the previous one. A request fails before it is sent if 20 requests with the same URL and
    /// method led to it, each made by the decorators of the previous one, or if 100 decorators run inside one another.
    /// An example is a sign-in request whose decorator signs in when it is refused.
    public struct EndlessChain: LocalizedError, CustomStringConvertible {
        /// The requests of the chain, as method and path. Of a long chain, the first and the last requests.
        public let requests: [String]

        /// Creates the cause.
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
