public import Foundation

/// A policy that determines which data ``Resource/get(_:)`` accepts, and when the call asks the server.
public struct FetchPolicy: Sendable {
    enum Rule: Sendable {
        case ifStale
        case ifOlder(TimeInterval)
        case always
        case cached
        case directives(CacheDirectives)
    }

    let rule: Rule

    /// Loads the resource only if its data is not fresh. If a load is already running, waits for this load. Does not
    /// wait if the data is fresh by the rules of HTTP. This is the default policy.
    ///
    /// ``Configuration/freshness`` and ``Configuration/expirationTime`` decide how long data is fresh. If the freshness
    /// follows HTTP, the server can allow the use of stale data. The call then returns stale data without an error
    /// during `stale-while-revalidate`, after a failed load within `stale-if-error`, or if the server cannot be
    /// reached. See <doc:HTTPCaching>.
    public static let ifStale = FetchPolicy(rule: .ifStale)

    /// Sends a request, even if the data is fresh or a load is already running.
    public static let always = FetchPolicy(rule: .always)

    /// Not available: the policy is called ``always``.
    @available(*, unavailable, renamed: "always")
    public static var network: FetchPolicy { fatalError() }

    /// Accepts data of any age from memory or from a persistent cache, and never uses the network. If there is no data,
    /// the call fails with ``RequestError/Code/notStored``.
    ///
    /// If the waiting task is cancelled, the wait ends, but the read of the cache continues.
    public static let cached = FetchPolicy(rule: .cached)

    /// Works like ``ifStale``, but uses `age` instead of ``Configuration/expirationTime``. If the freshness follows
    /// HTTP, both `age` and the lifetime that the server specifies limit the age of the data.
    ///
    /// - Parameter age: The maximum age of the data, in seconds. If the age is negative or NaN, no data is new enough.
    public static func ifOlder(than age: TimeInterval) -> FetchPolicy { FetchPolicy(rule: .ifOlder(age)) }

    /// Works like ``ifStale``, with additional requirements of the caller, as HTTP cache directives (RFC 9111 §5.2.1).
    ///
    ///     let price = try await resource.get(.directives(maxStale: 60))
    ///
    /// If the ``Configuration/freshness`` of the resource does not follow HTTP, only `onlyIfCached` applies. The
    /// directives are not sent to the server. Times are in seconds. Negative values and NaN count as 0. Values are
    /// rounded down to whole seconds.
    ///
    /// - Parameters:
    ///   - maxStale: The time for which the caller accepts data after the data's lifetime has ended. With 0, the
    ///     default, no stale data is accepted. With `.infinity`, data of any age is accepted. If the server must confirm
    ///     the data before each use, stale data is never accepted.
    ///   - minFresh: The time for which the data must still be fresh. The default is 0.
    ///   - onlyIfCached: True if the network must not be used. Without acceptable data, the call fails with
    ///     ``RequestError/Code/notStored`` and the status 504. The default is false.
    public static func directives(
        maxStale: TimeInterval = 0, minFresh: TimeInterval = 0, onlyIfCached: Bool = false
    ) -> FetchPolicy {
        FetchPolicy(
            rule: .directives(CacheDirectives(maxStale: maxStale, minFresh: minFresh, onlyIfCached: onlyIfCached)))
    }
}
