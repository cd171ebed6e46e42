public import Foundation

/// The times and sizes of a request's transfer, as measured by the networking provider.
///
/// Except for ``total``, times are measured from the start of the last exchange, that is, the exchange after all
/// redirects. Times that the provider does not measure are nil. So are the times of steps that did not occur: for
/// example, a request on a reused connection does not establish a connection. The metrics are intended for logs and
/// tools; the behavior of Siesta does not depend on them.
///
/// The libcurl provider measures its requests; the `URLSession` providers do not.
public struct RequestMetrics: Sendable, Equatable {
    /// The number of seconds until the lookup of the host name ended.
    public var nameLookup: TimeInterval?

    /// The number of seconds until the connection was established.
    public var connect: TimeInterval?

    /// The number of seconds until the TLS handshake ended.
    public var secureConnect: TimeInterval?

    /// The number of seconds until the first byte of the response arrived.
    public var firstByte: TimeInterval?

    /// The time from the start of the request to the end of its response, in seconds. It includes redirects and the
    /// wait for a connection.
    public var total: TimeInterval

    /// The number of body bytes sent.
    public var requestBytes: Int64 = 0

    /// The number of body bytes received, before decompression if the provider can count these bytes.
    public var responseBytes: Int64 = 0

    /// The HTTP version of the response, such as "1.1" or "2"; nil if there is no response, or if the version is
    /// unknown.
    public var httpVersion: String?

    /// True if the last exchange used an existing connection; nil if this is unknown.
    public var isReusedConnection: Bool?

    /// The number of redirects that were followed.
    public var redirects = 0

    /// The number of times that the request was sent: 1 plus the number of retries; see ``Configuration/retry``. All
    /// other properties describe only the last attempt.
    public var attempts = 1

    /// Creates metrics that contain only the total time, in seconds.
    public init(total: TimeInterval) {
        self.total = total
    }
}
