/// The progress of a request, in bytes of the request body and the response body.
///
/// A total is nil while it is unknown.
public struct RequestTransferMetrics: Sendable, Equatable {
    /// The number of bytes of the request body sent to the network so far.
    public var requestBytesSent: Int64

    /// The size of the request body in bytes; nil if it is unknown.
    public var requestBytesTotal: Int64?

    /// The number of bytes of the response body received so far.
    public var responseBytesReceived: Int64

    /// The size of the response body in bytes; nil if it is unknown.
    public var responseBytesTotal: Int64?

    /// Creates metrics with the given numbers of bytes.
    public init(
        requestBytesSent: Int64, requestBytesTotal: Int64?, responseBytesReceived: Int64, responseBytesTotal: Int64?
    ) {
        self.requestBytesSent = requestBytesSent
        self.requestBytesTotal = requestBytesTotal
        self.responseBytesReceived = responseBytesReceived
        self.responseBytesTotal = responseBytesTotal
    }
}
