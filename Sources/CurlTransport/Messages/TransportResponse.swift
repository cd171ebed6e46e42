#if os(Linux)
public import Foundation

/// A whole response, of any status.
public struct TransportResponse: Sendable {
    /// Status, headers and final URL.
    public var head: ResponseHead

    /// The decoded body; empty if there was none, and if it went to a file or a consumer.
    public var body: Data

    /// What the transfer took.
    public var metrics: TransferMetrics

    /// Creates a response.
    public init(head: ResponseHead, body: Data = Data(), metrics: TransferMetrics = TransferMetrics()) {
        self.head = head
        self.body = body
        self.metrics = metrics
    }
}
#endif
