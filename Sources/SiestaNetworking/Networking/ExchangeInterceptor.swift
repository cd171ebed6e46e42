package import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// An interceptor that may delay or answer each request.
@MainActor
package protocol ExchangeInterceptor: TransportInterceptor {
    /// Decides about a request. It is called once, before the request starts.
    func decision(for request: URLRequest) -> ExchangeDecision
}

/// The decision of an ``ExchangeInterceptor`` about one request.
package struct ExchangeDecision {
    /// The time for which the request waits before it starts or is answered, in seconds.
    package var delay: TimeInterval
    /// The result in place of the network's; nil for the network.
    package var substitute: Substitute?

    /// The result that a request has without the network.
    package enum Substitute {
        case failure(URLError.Code)
        /// An empty response. A response that is read in pieces fails instead, as if the connection was lost.
        case status(Int)
    }

    /// The decision to let the network answer.
    package static var pass: ExchangeDecision { ExchangeDecision(delay: 0) }

    package init(delay: TimeInterval, substitute: Substitute? = nil) {
        (self.delay, self.substitute) = (delay, substitute)
    }
}

extension ExchangeInterceptor {
    package func start(
        _ call: TransportCall, over transport: any Transport, completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        var decision = decision(for: call.request)
        if call.receiver != nil, case .status = decision.substitute {
            decision.substitute = .failure(.networkConnectionLost)
        }
        guard decision.delay > 0 || decision.substitute != nil else {
            return transport.start(call, completion: completion)
        }
        return InterceptedExchange(call, decision, over: transport, completion)
    }
}
