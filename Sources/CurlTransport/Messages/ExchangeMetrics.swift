#if os(Linux) || os(Android)
/// The measurements of one exchange.
///
/// Times are in seconds. ``nameLookup``, ``connect``, ``tls`` and ``firstByte`` belong to the last request of the
/// exchange, after all redirects, and count from the start of this request. If one of them is 0, this step did not
/// happen. On a reused connection, the first three are 0.
package struct ExchangeMetrics: Sendable, Equatable {
    /// The time at which the name of the host was resolved.
    package var nameLookup = 0.0

    /// The time at which the connection was established.
    package var connect = 0.0

    /// The time at which TLS was negotiated.
    package var tls = 0.0

    /// The time at which the first byte of the response arrived.
    package var firstByte = 0.0

    /// The duration of the whole exchange, including redirects and the wait for a free connection.
    package var total = 0.0

    /// The number of bytes of the request body sent.
    package var bytesSent: Int64 = 0

    /// The number of bytes of the response body received, before decoding.
    package var bytesReceived: Int64 = 0

    /// The version of HTTP of the response, such as "1.1" or "2"; nil if there is no response.
    package var httpVersion: String?

    /// True if the last request used an existing connection.
    package var isReusedConnection = false

    /// The number of redirects that were followed.
    package var redirects = 0

    /// Creates metrics in which all numbers are 0.
    package init() {}
}
#endif
