package import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// A type that sees each request before its provider, and may delay it, answer it, or read its response.
@MainActor
package protocol ExchangeInterceptor: AnyObject, Sendable {
    /// Decides about a request. It is called once, before the request starts.
    func decision(for request: URLRequest) -> ExchangeDecision
}

/// The decision of an ``ExchangeInterceptor`` about one request.
package struct ExchangeDecision {
    /// The time for which the request waits before it starts or is answered, in seconds.
    package var delay: TimeInterval
    /// The result in place of the network's; nil for the network.
    package var substitute: Substitute?
    /// Receives the end of the request, on the main actor; nil if nobody is interested.
    package var record: (@MainActor (ExchangeEnd) -> Void)?

    /// The result that a request has without the network.
    package enum Substitute {
        case failure(URLError.Code)
        /// An empty response. A response that is read in pieces fails instead, as if the connection was lost.
        case status(Int)
    }

    /// The decision to let the network answer, unseen.
    package static var pass: ExchangeDecision { ExchangeDecision(delay: 0) }

    package init(
        delay: TimeInterval, substitute: Substitute? = nil, record: (@MainActor (ExchangeEnd) -> Void)? = nil
    ) {
        (self.delay, self.substitute, self.record) = (delay, substitute, record)
    }
}

/// The end of a request, as a provider has reported it.
package struct ExchangeEnd: Sendable {
    /// The status; nil if there was no response.
    package let status: Int?
    /// The header fields, with secrets.
    package let fields: [String: String]
    /// The body; nil if there is none, or if it was read in pieces.
    package let body: Data?
    package let error: (any Error)?
    /// Nil if the provider does not measure.
    package var metrics: RequestMetrics?
}
