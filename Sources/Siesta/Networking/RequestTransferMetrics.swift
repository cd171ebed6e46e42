/// How far the transfer of one request has come, in bytes of message body.
///
/// A provider answers with a new value each time it is asked; the totals are nil while they are unknown.
public struct RequestTransferMetrics: Sendable, Equatable {
    /// Bytes of the request body handed to the network so far.
    public var requestBytesSent: Int64

    /// Size of the request body in bytes, or nil if it is not known.
    public var requestBytesTotal: Int64?

    /// Bytes of the response body received so far.
    public var responseBytesReceived: Int64

    /// Size of the response body in bytes as the server announced it, or nil if it did not.
    public var responseBytesTotal: Int64?

    /// Creates a measurement from its four counts, all in bytes.
    public init(
        requestBytesSent: Int64, requestBytesTotal: Int64?, responseBytesReceived: Int64, responseBytesTotal: Int64?
    ) {
        self.requestBytesSent = requestBytesSent
        self.requestBytesTotal = requestBytesTotal
        self.responseBytesReceived = responseBytesReceived
        self.responseBytesTotal = responseBytesTotal
    }
}
