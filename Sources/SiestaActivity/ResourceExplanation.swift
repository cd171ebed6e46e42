public import Foundation
public import SiestaCore

/// An explanation of the state of a resource, and a prediction of the next ``Resource/loadIfNeeded()``.
///
/// ``Resource/explain()`` returns an explanation. Code reads the properties, and people read the ``description``.
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

    /// The reason for the last load; `none` if there was no load.
    public let lastLoad: ActivityEvent.LoadReason

    /// True if a load is running.
    package let isLoading: Bool

    /// The condition for which a request of the resource waits, as a text for people; nil if no request waits.
    package let wait: String?

    /// The effect that ``Resource/loadIfNeeded()`` would have now.
    public let next: Next

    /// The rules that made the configuration for loads, in order, each with the options that it changes.
    public let rules: [Rule]

    /// The caches that the resource reads, in the order of the stages of its pipeline. The name of a cache is its type or
    /// its own name.
    public let caches: [(stage: String, name: String)]

    /// The observers, as their types or descriptions, in the order in which they were added.
    public let observers: [String]

    /// The number of pending changes.
    package let pendingChangeCount: Int

    /// The state of the live updates of the resource, as a text for people; nil if the resource has no live updates.
    /// See `Configuration.live` of the module `SiestaLive`.
    package let updates: String?

    /// The effect that a call of ``Resource/loadIfNeeded()`` would have.
    public enum Next: Equatable, Sendable {
        /// The call would begin a load.
        case load
        /// The call would return the load that is running.
        case join
        /// The call would wait for the read of the caches, and then load if they have no fresh data.
        case waitForCache
        /// The call would do nothing, because the data is fresh for this number of seconds; nil if the number is not
        /// known.
        case useData(seconds: TimeInterval?)
        /// The call would do nothing, because the last load failed. After this number of seconds, a call tries again;
        /// nil if the number is not known.
        case hold(seconds: TimeInterval?)
    }

    /// A rule of the configuration.
    public struct Rule: Sendable {
        /// The name: the description that was passed to `configure`, or the pattern.
        public let name: String
        /// The options that the rule changes: the name of each property, and its new value as a text without secrets.
        public let options: [(name: String, value: String)]
    }
}
