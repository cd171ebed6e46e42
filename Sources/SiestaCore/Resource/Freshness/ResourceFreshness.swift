public import Foundation
import HTTPRules

/// The freshness of a resource's data at one point in time: the current phase (for example, fresh or stale), the reason
/// for this phase, and the time at which it ends.
public struct ResourceFreshness: Equatable, Sendable {
    /// The ways in which ``Configuration/freshness`` allows the data to be used.
    public enum Phase: Hashable, Sendable {
        /// There is no data.
        case none
        /// The data may be used without asking the server.
        case fresh
        /// The data may be used while a load runs in the background (RFC 5861 §3).
        case staleWhileRevalidate
        /// The data may be used if a load fails; see ``ResourceFreshness/staleIfErrorUntil`` (RFC 5861 §4, RFC 9111
        /// §4.2.4).
        case staleIfError
        /// The server must confirm or replace the data before it is used.
        case stale
    }

    /// The rule or the header that determines the lifetime, which is the time for which the data is fresh.
    public enum Reason: Equatable, Sendable {
        /// There is no data.
        case none
        /// The ``Configuration/expirationTime``, because the rule is ``FreshnessRule/fixed``, because the data is
        /// local, or because the response specifies no lifetime. In the last case, a fallback set by
        /// ``FreshnessRule/http(fallback:)`` replaces the expiration time.
        case configuration
        /// A header of the response, for example `Cache-Control: max-age=60` or `Expires`.
        case header(String)
        /// A tenth of the time from the `Last-Modified` to the `Date` of the response, but at most one day (RFC 9111
        /// §4.2.2).
        case heuristic
        /// A redirect that led to the response, and that has a shorter lifetime than the response.
        case redirect
        /// The data was invalidated, for example by ``Resource/invalidate()`` or by a write.
        case invalidated
        /// A stream of events that reports each change. The data is fresh as long as the stream is open.
        case guaranteed
        /// The response specifies no lifetime, and its status does not allow the library to assume one.
        case notStated
    }

    /// The way in which the data may be used, at the time that this value describes.
    public let phase: Phase
    /// The rule or the header that determines the lifetime, or the reason why there is none.
    public let reason: Reason
    /// The time at which the lifetime of the data ends. Data that was invalidated is stale even before this time.
    ///
    /// Nil if this time is unknown, if there is no data, if the data was never fresh, or if the reason is
    /// ``Reason/guaranteed``.
    public let freshUntil: Date?
    /// The end of the period in which stale data may be used while a load runs; nil if the response does not allow
    /// this.
    public let staleWhileRevalidateUntil: Date?
    /// The end of the period in which stale data may be used if a load fails; nil if the response does not allow this.
    ///
    /// If the response sets no limit, the value is `Date.distantFuture`, and the data may be used only if the server
    /// cannot be reached.
    public let staleIfErrorUntil: Date?

    /// The time at which ``phase`` changes, unless an event changes it earlier; nil if time alone does not change the
    /// phase.
    public var until: Date? {
        switch phase {
        case .none, .stale: nil
        case .fresh: freshUntil
        case .staleWhileRevalidate: staleWhileRevalidateUntil
        case .staleIfError: staleIfErrorUntil == .distantFuture ? nil : staleIfErrorUntil
        }
    }
}

extension ResourceFreshness {
    /// The freshness of a resource without data.
    static let none = ResourceFreshness(
        phase: .none, reason: .none, freshUntil: nil, staleWhileRevalidateUntil: nil, staleIfErrorUntil: nil)

    /// Computes the freshness of data.
    ///
    /// - Parameter now: the present on both clocks, in seconds.
    package init(
        _ freshness: Freshness, _ data: Entity<Any>?, within limits: Freshness.Limits, at now: Resource.State.Moment
    ) {
        guard let dataTime = freshness.dataTime, let data else {
            self = .none
            return
        }
        if freshness.isGuaranteed, !freshness.isInvalidated {
            self.init(
                phase: .fresh, reason: .guaranteed, freshUntil: nil, staleWhileRevalidateUntil: nil,
                staleIfErrorUntil: nil)
            return
        }
        let calendar = Calendar(age: now.monotonicTime - dataTime, wallTime: now.wallTime)
        if freshness.lifetime != .configured, let lifetime = data.cachingInfo?.lifetime {
            self.init(lifetime, calendar, freshness.hasOutdatedData ? .invalidated : Reason(lifetime))
        } else {
            let isFresh = freshness.hasFreshData(at: now.monotonicTime, within: limits)
            self.init(
                phase: isFresh ? .fresh : .stale, reason: freshness.isInvalidated ? .invalidated : .configuration,
                freshUntil: calendar.date(at: limits.expirationTime), staleWhileRevalidateUntil: nil,
                staleIfErrorUntil: nil)
        }
    }

    private init(_ lifetime: ResponseLifetime, _ calendar: Calendar, _ reason: Reason) {
        let fresh = TimeInterval(lifetime.lifetime)
        let whileRevalidating = lifetime.staleWhileRevalidate > 0 ? fresh + Double(lifetime.staleWhileRevalidate) : nil
        let ifError = lifetime.statesStaleIfError ? fresh + Double(lifetime.staleIfError) : .infinity
        self.init(
            phase: reason == .invalidated ? .stale : Phase(lifetime, atAge: calendar.age), reason: reason,
            freshUntil: fresh > 0 ? calendar.date(at: fresh) : nil,
            staleWhileRevalidateUntil: lifetime.forbidsStale ? nil : whileRevalidating.flatMap(calendar.date),
            staleIfErrorUntil: lifetime.forbidsStale
                ? nil : ifError.isFinite ? calendar.date(at: ifError) : .distantFuture)
    }

    /// Converts ages of the data to dates.
    private struct Calendar {
        let age: TimeInterval
        let wallTime: TimeInterval

        /// Returns the date at which the data has an age; nil if the age of the data is unknown, or if it never has it.
        func date(at age: TimeInterval) -> Date? {
            let time = wallTime + age - self.age
            return time.isFinite ? Date(timeIntervalSinceReferenceDate: time) : nil
        }
    }
}

extension ResourceFreshness.Phase {
    /// The use that the rules of HTTP allow for a request without directives.
    fileprivate init(_ lifetime: ResponseLifetime, atAge age: TimeInterval) {
        let policy = CachePolicy(.private)
        switch policy.verdict(lifetime, age: age, request: RequestDirectives()) {
        case .fresh: self = .fresh
        case .stale: self = .staleWhileRevalidate
        default:
            let afterError = policy.verdict(lifetime, age: age, request: RequestDirectives(), after: .unreachable)
            self = afterError == nil ? .stale : .staleIfError
        }
    }
}

extension ResourceFreshness.Reason {
    fileprivate init(_ lifetime: ResponseLifetime) {
        self =
            switch lifetime.reason {
            case .maxAge: .header("Cache-Control: max-age=\(lifetime.lifetime)")
            case .sharedMaxAge: .header("Cache-Control: s-maxage=\(lifetime.lifetime)")
            case .noCache: .header("Cache-Control: no-cache")
            case .noStore: .header("Cache-Control: no-store")
            case .expires: .header("Expires")
            case .varyAny: .header("Vary: *")
            case .heuristic: .heuristic
            case .fallback: .configuration
            case .redirect: .redirect
            case .none: .notStated
            }
    }
}
