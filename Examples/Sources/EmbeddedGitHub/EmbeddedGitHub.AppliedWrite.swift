extension EmbeddedGitHub {
    /// A write that the server has carried out. Requests that repeat an `Idempotency-Key` are not carried out again.
    public struct AppliedWrite: Sendable, Hashable {
        /// The method.
        public let method: String

        /// Path and query as they were sent.
        public let target: String

        /// The login of the user.
        public let login: String

        /// The body as text; empty if there was none.
        public let body: String
    }
}
