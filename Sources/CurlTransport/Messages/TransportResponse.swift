#if os(Linux)
public import Foundation

/// A complete response, with any status.
public struct TransportResponse: Sendable {
    /// The status, the headers and the final URL.
    public var head: ResponseHead

    /// The decoded body. Empty if there was none, or if it went to a file or a consumer.
    public var body: Data

    /// The measurements of the transfer.
    public var metrics: TransferMetrics

    /// Creates a response.
    public init(head: ResponseHead, body: Data = Data(), metrics: TransferMetrics = TransferMetrics()) {
        self.head = head
        self.body = body
        self.metrics = metrics
    }
}
#endif
