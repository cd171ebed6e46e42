import SiestaCore

extension Outbox {
    /// The conditions of a write (RFC 9110 §13.1). A field that is nil is not sent.
    public struct Condition: Hashable, Sendable {
        /// The value of `If-Match`.
        public var ifMatch: String?
        /// The value of `If-Unmodified-Since`.
        public var ifUnmodifiedSince: String?
        /// The value of `If-None-Match`.
        public var ifNoneMatch: String?

        /// Creates conditions. Without arguments, the write is unconditional.
        public init(ifMatch: String? = nil, ifUnmodifiedSince: String? = nil, ifNoneMatch: String? = nil) {
            (self.ifMatch, self.ifUnmodifiedSince, self.ifNoneMatch) = (ifMatch, ifUnmodifiedSince, ifNoneMatch)
        }
    }
}
