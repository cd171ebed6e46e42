import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Adds the header `traceparent` to each attempt, unless the request has one; see ``Configuration/sendsTraceContext``.
@MainActor
final class TraceStep: ExchangeStep {
    func change(_ attempt: inout Attempt, of exchange: Exchange, _ index: Int) {
        guard attempt.call.request.value(forHTTPHeaderField: "traceparent") == nil else { return }
        let new = TraceContext(continuing: exchange.trace.value)
        exchange.trace = .some(new)
        attempt.call.request.setValue(new.traceparent, forHTTPHeaderField: "traceparent")
    }
}
