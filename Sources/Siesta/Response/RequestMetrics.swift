public import Foundation

/// What the network's part of a request took, measured by the provider that carried it out.
///
/// Times are seconds from the start of the last exchange, the one after all redirects; nil where the phase did not take
/// place, as connecting on a connection that was there, and where a provider does not measure it. For logs and tools;
/// nothing in Siesta decides by it.
public struct RequestMetrics: Sendable, Equatable {
    /// When the name of the host was looked up.
    public var nameLookup: TimeInterval?

    /// When the connection stood.
    public var connect: TimeInterval?

    /// When encryption was agreed on.
    public var secureConnect: TimeInterval?

    /// When the first byte of the response came.
    public var firstByte: TimeInterval?

    /// From the start of the request to the end of its response, redirects and waiting for a connection included.
    public var total: TimeInterval

    /// Bytes of request body sent.
    public var requestBytes: Int64 = 0

    /// Bytes of response body received, as they came over the network if the provider can tell.
    public var responseBytes: Int64 = 0

    /// The version of HTTP that the response has, such as "1.1" or "2"; nil without a response, and if it is not known.
    public var httpVersion: String?

    /// Whether the last exchange used a connection that was there; nil if that is not known.
    public var isReusedConnection: Bool?

    /// How many redirects were followed.
    public var redirects = 0

    /// Creates metrics of nothing but the time that a request took.
    public init(total: TimeInterval) {
        self.total = total
    }
}
