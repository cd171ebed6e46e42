public import Foundation

/// An event in a service, such as a decision about a load, a step of a request, a change to a resource, or a use of a
/// cache.
///
/// Get the events from ``Service/activity``. Each event has a number, and contains the number of the event that caused
/// it. A tool can therefore show why a request was sent and which events followed:
///
/// ```text
/// 7  loadDecision     loadIfNeeded() began a load
/// 8  requestStarted   GET                           because of 7
/// 9  requestSent      attempt 1                     because of 8
/// 10 transformed      parsing, 0.4 ms               because of 8
/// 11 stateChanged     newData(network)              because of 8
/// ```
public struct ActivityEvent: Identifiable, Sendable {
    /// The number of the event. The numbers of one service increase by 1 with each event.
    public let id: Int

    /// The number of the event that caused this event.
    ///
    /// The value is nil if the app caused this event, or if the service recorded no events when the cause occurred.
    public let cause: Int?

    /// The time of the event, on the wall clock of the service.
    public let date: Date

    /// The reading of the service's monotonic clock at the event, in seconds. The difference between two readings is
    /// the time between their events.
    public let uptime: TimeInterval

    /// The absolute URL of the resource, including its query; nil if the event concerns the service as a whole.
    ///
    /// The query may contain secrets. The ``description`` of the event contains no secrets.
    public let address: String?

    /// The kind of the event, with its details.
    public let kind: Kind

    /// The kinds of events.
    public enum Kind: Sendable {
        /// A function has decided whether to load a resource. The reason names the function, or the trigger that called
        /// it.
        case loadDecision(LoadReason, LoadOutcome)
        /// A request has started. Before it is sent, it may have to wait for a cache or a credential, or because of the
        /// limits of its origin. The method is in upper case.
        case requestStarted(method: String, isLoad: Bool)
        /// A request was passed to the network. The first attempt has the number 1. The trace context is nil if the
        /// request has no `traceparent` header; see ``Configuration/sendsTraceContext``.
        case requestSent(attempt: Int, reason: SendReason, trace: TraceContext?)
        /// The network has followed a redirect (RFC 9110 §15.4). The event is recorded when the final response arrives.
        ///
        /// The location is the `Location` header, as the server sent it. The header may contain secrets, which
        /// ``ActivityEvent/description`` omits. Custom providers do not report redirects.
        case requestRedirected(status: Int, location: String)
        /// A request waits before its first attempt, or before another attempt after a failure. The number of seconds
        /// is nil if the end of the wait is unknown.
        case requestWaits(seconds: TimeInterval?, reason: String)
        /// A request has ended.
        case requestEnded(RequestEnd)
        /// The resource has changed. Its observers receive the given event.
        case stateChanged(ResourceEvent)
        /// An observer was added. The text is the observer's description without secrets; by default, the name of its
        /// type.
        case observerAdded(String)
        /// An observer was removed. The text is the observer's description without secrets; by default, the name of its
        /// type.
        case observerRemoved(String)
        /// A cache was read, written or cleared for the resource. The stage is, for example, "model"; nil means all
        /// stages. The duration is in seconds; it is nil if it was not measured.
        case cache(CacheOperation, stage: String?, duration: TimeInterval?)
        /// A transformer was applied to a response or to an entity from a cache. The stage is, for example, "parsing".
        /// `transformer` is the type or the description of the transformer. The duration is in seconds.
        case transformed(stage: String, transformer: String, duration: TimeInterval, hasFailed: Bool)
        /// The data of the resource has become stale. `byDependency` is true if the cause is a write, a tag, or another
        /// resource on which this resource depends. It is false after a call to ``Resource/invalidate()``.
        case invalidated(byDependency: Bool)
        /// The state of the resource's live updates has changed. The text is the new state, such as `live`.
        case updatesChanged(String)
        /// The service has dropped the resource, because the resource was not in use.
        case evicted
        /// The given number of events was dropped before the next event, because the events were read too slowly.
        case missed(Int)
    }

    package init(
        id: Int, cause: Int? = nil, date: Date, uptime: TimeInterval, address: String? = nil, kind: Kind
    ) {
        (self.id, self.cause, self.date, self.uptime) = (id, cause, date, uptime)
        (self.address, self.kind) = (address, kind)
    }
}
