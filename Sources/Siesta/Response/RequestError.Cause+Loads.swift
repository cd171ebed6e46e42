public import Foundation

extension RequestError.Cause {
    /// A load, a download or a stream was answered by a redirect that was not followed: it names no address, or one
    /// that must not or cannot be followed. Its body is not the resource's content.
    ///
    /// Requests that are not loads get such a response as a success, with its headers.
    public struct RedirectNotFollowed: LocalizedError {
        /// The status code, from 300 to 399.
        public let statusCode: Int

        /// Creates the cause.
        public init(statusCode: Int) {
            self.statusCode = statusCode
        }

        /// ``UserMessages/redirectNotFollowed``.
        public var errorDescription: String? { UserMessages.current.redirectNotFollowed }
    }

    /// A request would never complete: it waits for itself by way of chains, or its chains and decorators make ever
    /// more requests.
    ///
    /// A chain fails if it passes to a request that waits for the chain, and if 10 000 chains are each made by the
    /// closure of another. A request fails without being sent if it was made in the course of 20 requests with the same
    /// URL and method, each by the decorators of another: a sign-in, say, whose decorator signs in when it is refused.
    public struct EndlessChain: LocalizedError, CustomStringConvertible {
        /// The requests of the chain as method and path; the first and the last of them if they are many.
        public let requests: [String]

        /// Creates the cause.
        public init(requests: [String]) {
            self.requests = requests
        }

        /// ``UserMessages/requestFailed``.
        public var errorDescription: String? { UserMessages.current.requestFailed }

        /// The requests in the order in which each waits for the next.
        public var description: String {
            PreparedText.line("endless chain of requests: " + requests.joined(separator: " → "))
        }
    }
}
