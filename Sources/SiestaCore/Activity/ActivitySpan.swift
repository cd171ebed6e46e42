public import Foundation
import HTTPRules

/// A request as a span of a distributed trace.
///
/// Names and attributes follow the semantic conventions of OpenTelemetry for HTTP clients.
public struct ActivitySpan: Sendable {
    /// The name of the span: the HTTP method of the request.
    public let name: String

    /// The time at which the request started, on the wall clock of the service.
    public let start: Date

    /// The duration of the request in seconds, measured by the monotonic clock of the service.
    public let duration: TimeInterval

    /// The trace context that was sent with the last attempt; nil if none was sent.
    public let context: TraceContext?

    /// The attributes of the request.
    ///
    /// They may include `http.request.method`, `url.full`, `server.address`, `http.response.status_code`,
    /// `http.request.resend_count` and `error.type`. URLs contain no secrets.
    public let attributes: [String: String]

    /// The number of the event that reports the start of the request.
    public let id: Int
    /// The number of the event that caused the request; nil if there is no such event.
    public let cause: Int?
}

/// Puts the events of requests together to spans. Pure.
struct ActivitySpans {
    fileprivate struct Open {
        let event: ActivityEvent
        let method: String
        var sendCount = 0
        var context: TraceContext?
    }

    private var open: [Int: Open] = [:]
    /// The maximum number of requests that are watched at once. The end of a request may be missed.
    private static let limit = 10_000

    /// Takes an event. Returns the span that ends with it.
    mutating func take(_ event: ActivityEvent) -> ActivitySpan? {
        switch event.kind {
        case .requestStarted(let method, _):
            if open.count >= Self.limit { open = open.newestHalf }
            open[event.id] = Open(event: event, method: method)
        case .requestSent(_, _, let trace):
            guard let cause = event.cause else { return nil }
            open[cause]?.sendCount += 1
            if let trace { open[cause]?.context = trace }
        case .requestEnded(let end):
            return event.cause.flatMap { open.removeValue(forKey: $0) }?.span(endingWith: end, at: event.uptime)
        default: break
        }
        return nil
    }
}

extension ActivitySpans.Open {
    fileprivate func span(endingWith end: ActivityEvent.RequestEnd, at time: TimeInterval) -> ActivitySpan {
        var attributes = ["http.request.method": method]
        if let address = event.address {
            attributes["url.full"] = PreparedText.url(address)
            attributes["server.address"] = URL(reference: address)?.host
        }
        if let status = end.status { attributes["http.response.status_code"] = String(status) }
        if sendCount > 1 { attributes["http.request.resend_count"] = String(sendCount - 1) }
        if end.outcome == .failure { attributes["error.type"] = end.status.map(String.init) ?? "failure" }
        if end.outcome == .cancelled { attributes["error.type"] = "cancelled" }
        return ActivitySpan(
            name: method, start: event.date, duration: max(0, time - event.uptime), context: context,
            attributes: attributes, id: event.id, cause: event.cause)
    }
}

extension Dictionary where Key == Int {
    /// The entries of the later events. A search for the oldest entry at each new one would take too long.
    var newestHalf: [Int: Value] {
        guard let middle = keys.sorted().dropFirst(count / 2).first else { return self }
        return filter { $0.key >= middle }
    }
}
