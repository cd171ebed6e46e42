#if os(Linux)
/// The measurements of one transfer.
///
/// Times are in seconds. The times of the phases belong to the last request of the transfer, after all redirects, and
/// count from its start. A time of 0 means that the phase did not take place; on a reused connection this holds for all
/// phases except the first byte.
public struct TransferMetrics: Sendable, Equatable {
    /// The time at which the name of the host was resolved.
    public var nameLookup = 0.0

    /// The time at which the connection was established.
    public var connect = 0.0

    /// The time at which TLS was negotiated.
    public var tls = 0.0

    /// The time at which the first byte of the response arrived.
    public var firstByte = 0.0

    /// The duration of the whole transfer, including redirects and the wait for a free connection.
    public var total = 0.0

    /// The number of bytes of the request body sent.
    public var bytesSent: Int64 = 0

    /// The number of bytes of the response body received, before decoding.
    public var bytesReceived: Int64 = 0

    /// The version of HTTP of the response, such as "1.1" or "2"; nil without a response.
    public var httpVersion: String?

    /// True if the last request used an existing connection.
    public var isReusedConnection = false

    /// The number of redirects that were followed.
    public var redirects = 0

    /// Creates metrics with zeros.
    public init() {}
}
#endif
