extension EmbeddedGitHub {
    /// One line of the server's log.
    public struct ServedRequest: Sendable, Hashable {
        /// The method; `-` if the bytes were no request.
        public let method: String

        /// Path and query as they were sent; `-` if the bytes were no request.
        public let target: String

        /// The status of the answer; nil if the client got no HTTP at all.
        public let status: Int?

        /// Whether `If-None-Match` or `If-Modified-Since` was sent.
        public let isConditional: Bool

        /// The login of the user whose token was sent; nil without a valid token.
        public let login: String?

        /// Whether a valid token was sent.
        public var isAuthorised: Bool { login != nil }
    }
}
