extension Outbox {
    /// The limits of an outbox. The outbox never removes an entry because of a limit.
    public struct Limits: Hashable, Sendable {
        /// The maximum number of entries. The default is 10 000. A change beyond it is not accepted.
        public var entries: Int
        /// The maximum sum of the entries' sizes, in bytes, including bodies and copied files. The default is 256 MB. A
        /// change beyond it is not accepted.
        public var bytes: Int
        /// The maximum time that an entry waits to be sent. The default is 30 days; nil means no limit. An older entry is
        /// refused, and stays visible until the app drops or retries it.
        public var age: Duration?

        /// Creates limits.
        public init(entries: Int = 10_000, bytes: Int = 256 << 20, age: Duration? = .seconds(30 * 86_400)) {
            (self.entries, self.bytes, self.age) = (entries, bytes, age)
        }
    }
}
