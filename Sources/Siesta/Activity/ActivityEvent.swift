public import Foundation

/// Something that happened in a service: a decision about a load, a step of a request, a change of a resource, a use of
/// a cache, a transformation.
///
/// Get the events from ``Service/activity``. Each event has an identity, and names the event that caused it. Therefore
/// a tool can show why a request was sent, and what followed from it:
///
/// ```
/// 7  loadDecision     loadIfNeeded() began a load
/// 8  requestStarted   GET                           because of 7
/// 9  requestSent      attempt 1                     because of 8
/// 10 transformed      parsing, 0.4 ms               because of 8
/// 11 stateChanged     newData(network)              because of 8
/// ```
public struct ActivityEvent: Identifiable, Sendable {
    /// The number of the event. The numbers of one service increase by 1 with each event.
    public let id: Int

    /// The number of the event that caused this one; nil if the cause is code of the app, or unknown because nobody
    /// listened at that time.
    public let cause: Int?

    /// The time on the wall clock of the service.
    public let date: Date

    /// The time on the monotonic clock of the service, in seconds. Differences of these times are durations.
    public let uptime: TimeInterval

    /// The absolute URL of the resource, with its query, which may contain secrets. ``description`` contains none. Nil
    /// if the event is about the service as a whole.
    public let address: String?

    /// What happened.
    public let kind: Kind

    /// What happened.
    public enum Kind: Sendable {
        /// A function that may load a resource has decided whether it does.
        case loadDecision(LoadDecision)
        /// A request has started. It is not sent before its waits are over: for a cache, a credential, or the limits of
        /// its origin.
        case requestStarted(RequestStart)
        /// A request was passed to the network. The number is 1 for the first attempt.
        case requestSent(attempt: Int, reason: SendReason)
        /// A failed request waits for its next attempt, or a request waits before its first attempt.
        case requestWaits(seconds: TimeInterval?, reason: String)
        /// A request has ended.
        case requestEnded(RequestEnd)
        /// Observers of the resource receive this event.
        case stateChanged(ResourceEvent)
        /// An observer was added. The text names its type.
        case observerAdded(String)
        /// An observer was removed. The text names its type.
        case observerRemoved(String)
        /// A cache was read, written or cleared for the resource.
        case cache(CacheUse)
        /// A transformer was applied to a response or to the entity of a cache.
        case transformed(Transformation)
        /// The data of the resource counts as stale from now on.
        case invalidated(InvalidationReason)
        /// The service has dropped the resource, because it was not in use.
        case evicted
        /// A listener was too slow: this number of events before the next one is missing for it.
        case missed(Int)
    }

    package init(
        id: Int, cause: Int? = nil, date: Date, uptime: TimeInterval, address: String? = nil, kind: Kind
    ) {
        (self.id, self.cause, self.date, self.uptime) = (id, cause, date, uptime)
        (self.address, self.kind) = (address, kind)
    }
}

extension ActivityEvent {
    /// The decision of a function that may load a resource.
    public struct LoadDecision: Hashable, Sendable {
        /// The function, or the trigger that called it.
        public let reason: LoadReason
        /// The result.
        public let outcome: Outcome

        /// The result of a decision.
        public enum Outcome: String, Hashable, Sendable {
            /// A load began.
            case began
            /// A load is running already.
            case joined
            /// The resource is up to date.
            case upToDate
            /// A load began, which first waits for the persistent caches.
            case waitsForCache
            /// The last load failed a short time ago, or the server asks for a pause.
            case held
        }

        package init(_ reason: LoadReason, _ outcome: Outcome) {
            (self.reason, self.outcome) = (reason, outcome)
        }
    }

    /// The reason for which a load was asked for.
    public enum LoadReason: UInt8, Hashable, Sendable, CaseIterable {
        /// Unknown, or there was no load.
        case none
        /// ``Resource/load()``.
        case load
        /// ``Resource/loadIfNeeded()``, ``Resource/fresh()`` and their variants.
        case loadIfNeeded
        /// ``Resource/load(using:)``.
        case loadUsingRequest
        /// A poll of the resource was due.
        case poll
        /// A trigger: the app came to the foreground, the network came back, or an observer was added to stale data.
        case trigger
        /// Dependent data was invalidated, and the resource is observed.
        case dependency
        /// A pending change needs the newest data.
        case change
    }

    /// A request at its start.
    public struct RequestStart: Hashable, Sendable {
        /// The method in upper case.
        public let method: String
        /// True if the request is a load of its resource.
        public let isLoad: Bool

        package init(method: String, isLoad: Bool) { (self.method, self.isLoad) = (method, isLoad) }
    }

    /// The reason for which a request is passed to the network.
    public enum SendReason: String, Hashable, Sendable {
        /// The first attempt.
        case first
        /// A retry after a failure.
        case retry
        /// A new credential, after the server refused the former one.
        case refresh
        /// Once more without a condition, because the answer to the condition cannot be used.
        case unconditional
    }

    /// The end of a request.
    public struct RequestEnd: Sendable {
        /// The outcome.
        public let outcome: Outcome
        /// The status of the response; nil if there was none, or if it is unknown.
        public let status: Int?
        /// The reason of a failure as a text for people, without secrets; nil after a success.
        public let failure: String?
        /// The times and sizes; nil if the provider does not measure.
        public let metrics: RequestMetrics?

        /// The outcome of a request.
        public enum Outcome: String, Hashable, Sendable {
            /// It succeeded.
            case success
            /// The server has confirmed the data that the resource has.
            case notModified
            /// It failed.
            case failure
            /// It was cancelled.
            case cancelled
        }

        package init(outcome: Outcome, status: Int?, failure: String?, metrics: RequestMetrics?) {
            (self.outcome, self.status, self.failure, self.metrics) = (outcome, status, failure, metrics)
        }
    }

    /// A use of a cache.
    public struct CacheUse: Hashable, Sendable {
        /// The operation.
        public let operation: Operation
        /// The stage whose cache was used, for example "model"; nil for all stages.
        public let stage: String?
        /// The duration in seconds; nil if it is not measured.
        public let duration: TimeInterval?

        /// The operation of a cache.
        public enum Operation: String, Hashable, Sendable {
            /// A read that found an entity.
            case hit
            /// A read that found nothing.
            case miss
            /// An entity is written.
            case write
            /// An entity is removed.
            case remove
        }

        package init(_ operation: Operation, stage: String?, duration: TimeInterval? = nil) {
            (self.operation, self.stage, self.duration) = (operation, stage, duration)
        }
    }

    /// The application of a transformer.
    public struct Transformation: Hashable, Sendable {
        /// The stage, for example "parsing".
        public let stage: String
        /// The transformer, as its type or description.
        public let transformer: String
        /// The duration in seconds.
        public let duration: TimeInterval
        /// True if the result was a failure.
        public let hasFailed: Bool

        package init(stage: String, transformer: String, duration: TimeInterval, hasFailed: Bool) {
            (self.stage, self.transformer) = (stage, transformer)
            (self.duration, self.hasFailed) = (duration, hasFailed)
        }
    }

    /// The reason of an invalidation.
    public enum InvalidationReason: String, Hashable, Sendable {
        /// ``Resource/invalidate()``.
        case call
        /// A write, a tag, or another resource on which this one depends.
        case dependency
    }
}
