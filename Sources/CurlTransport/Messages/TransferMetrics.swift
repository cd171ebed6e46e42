#if os(Linux)
/// What one transfer took.
///
/// Times are seconds. Those of the phases belong to the last request of the transfer, after all redirects, and are
/// counted from its start; 0 means that the phase did not take place, as all but the first byte on a connection used
/// before.
public struct TransferMetrics: Sendable, Equatable {
    /// When the name of the host was looked up.
    public var nameLookup = 0.0

    /// When the connection stood.
    public var connect = 0.0

    /// When TLS was agreed on.
    public var tls = 0.0

    /// When the first byte of the response came.
    public var firstByte = 0.0

    /// From the start to the end of the whole transfer: with redirects, and with the wait for a free connection.
    public var total = 0.0

    /// Bytes of request body sent.
    public var bytesSent: Int64 = 0

    /// Bytes of response body received, before decoding.
    public var bytesReceived: Int64 = 0

    /// The version of HTTP that the response has, such as "1.1" or "2"; nil without a response.
    public var httpVersion: String?

    /// Whether the last request used a connection that was there.
    public var isReusedConnection = false

    /// How many redirects were followed.
    public var redirects = 0

    /// Creates metrics of nothing.
    public init() {}
}
#endif
