#if os(Linux) || os(Android)
package import Foundation

/// A complete response, with any status.
package struct TransportResponse: Sendable {
    /// The status, the headers and the final URL.
    package var head: ResponseHead

    /// The decoded body. Empty if there was no body, or if the body went to a file or a consumer.
    package var body: Data

    /// The measurements of the exchange.
    package var metrics: ExchangeMetrics

    /// The heads of the redirects that were followed, in order, each with the URL that redirects.
    ///
    /// The array is empty if no redirect was followed. Redirects beyond about 256 KB of heads are omitted; see
    /// ``hasAllRedirects``.
    package var redirects: [ResponseHead]

    /// A Boolean value that indicates whether ``redirects`` contains every redirect that was followed.
    package var hasAllRedirects: Bool { redirects.count == metrics.redirects }

    /// Creates a response.
    package init(
        head: ResponseHead, body: Data = Data(), metrics: ExchangeMetrics = ExchangeMetrics(),
        redirects: [ResponseHead] = []
    ) {
        self.head = head
        self.body = body
        self.metrics = metrics
        self.redirects = redirects
    }
}
#endif
