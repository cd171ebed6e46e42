public import Foundation
public import SiestaCore

/// An explanation of the state of a resource, and a prediction of the next ``Resource/loadIfNeeded()``.
///
/// ``Resource/explain()`` returns an explanation. Use the properties in code, and show the ``description`` to people.
public struct ResourceExplanation: Sendable {
    /// The absolute URL of the resource, with its query. The query may contain secrets, and ``description`` omits them.
    package let address: String

    /// The time of the explanation, on the wall clock of the service.
    package let date: Date

    /// The freshness of the data, with its end and its reason.
    package let freshness: ResourceFreshness

    /// The source of the data; nil if there is no data.
    package let source: Resource.DataSource?

    /// The time since the data was last known to be current, in seconds; nil if there is no data.
    package let age: TimeInterval?

    /// The error of the last load, as a text for people; nil if the last load succeeded.
    package let failure: String?

    /// The time since the error, in seconds; nil without an error.
    package let failureAge: TimeInterval?

    /// The reason for the last load; `none` if there was no load, or if the reason is unknown.
    public let lastLoad: ActivityEvent.LoadReason

    /// True if a load is running.
    package let isLoading: Bool

    /// The condition for which a request of the resource waits, as a text for people; nil if no request waits.
    package let wait: String?

    /// The effect that ``Resource/loadIfNeeded()`` would have now.
    public let next: Next

    /// The configuration rules that apply to loads of the resource, in order, each with the options that it changes.
    public let rules: [Rule]

    /// The caches that the resource reads, in the order of the stages of its pipeline. The name of a cache is the name
    /// of its type.
    public let caches: [(stage: String, name: String)]

    /// The descriptions of the observers, in the order in which the observers were added. An observer without a
    /// description appears with its type.
    public let observers: [String]

    /// The number of pending changes.
    package let pendingChangeCount: Int

    /// The state of the live updates of the resource, as a text for people; nil if the resource has no live updates.
    /// See `Configuration.live` of the module `SiestaLive`.
    package let updates: String?

    /// The effect that a call to ``Resource/loadIfNeeded()`` would have.
    public enum Next: Equatable, Sendable {
        /// The call would begin a load.
        case load
        /// The call would not begin a new load, but return the load that is already running.
        case join
        /// The call would wait until the caches have been read. If they contain no fresh data, it would then begin a
        /// load.
        case waitForCache
        /// The call would do nothing, because the data is fresh. `seconds` is the time for which the data stays fresh;
        /// nil if the end is not known.
        case useData(seconds: TimeInterval?)
        /// The call would do nothing, because the last load failed a short time ago. `seconds` is the time after which
        /// a call would begin a load again; nil if the `retryTime` of the configuration is infinite.
        case hold(seconds: TimeInterval?)
    }

    /// A configuration rule and the options that it changes.
    public struct Rule: Sendable {
        /// The description that was passed to `configure`. Without a description, the name is the pattern of the rule.
        public let name: String
        /// The options that the rule changes: the name of each property, and its new value as a string without secrets.
        public let options: [(name: String, value: String)]
    }
}
