/// The decision about a request for which a response is stored (RFC 9111 §4).
package enum CacheVerdict: Sendable, Equatable {
    /// The reason why stale data may be used.
    package enum StaleReason: UInt8, Sendable, CaseIterable {
        /// The response permits it while a request revalidates it (RFC 5861 §3).
        case staleWhileRevalidate
        /// The response or the request permits it after an error (RFC 5861 §4).
        case staleIfError
        /// The request permits it (RFC 9111 §5.2.1.2).
        case maxStale
        /// The server is unreachable and nothing forbids it (RFC 9111 §4.2.4).
        case unreachable
    }

    /// The stored response can be used.
    case fresh
    /// The stored response can be used, although it is stale.
    case stale(StaleReason)
    /// The stored response must be confirmed by a request with its validators.
    case revalidate
    /// The server must be asked without conditions.
    case fetch
    /// The request is `only-if-cached`, and the cache answers it with status 504 (RFC 9111 §5.2.1.7).
    case gatewayTimeout
}
