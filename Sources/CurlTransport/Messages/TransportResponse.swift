#if os(Linux) || os(Android)
public import Foundation

/// A complete response, with any status.
public struct TransportResponse: Sendable {
    /// The status, the headers and the final URL.
    public var head: ResponseHead

    /// The decoded body. Empty if there was no body, or if the body went to a file or a consumer.
    public var body: Data

    /// The measurements of the exchange.
    public var metrics: ExchangeMetrics

    /// Creates a response.
    public init(head: ResponseHead, body: Data = Data(), metrics: ExchangeMetrics = ExchangeMetrics()) {
        self.head = head
        self.body = body
        self.metrics = metrics
    }
}
#endif
