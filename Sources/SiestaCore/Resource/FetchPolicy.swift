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

    /// Works like ``ifStale``, with additional requirements of the caller in the form of HTTP cache directives. If the
    /// ``Configuration/freshness`` of the resource does not follow HTTP, only ``CacheDirectives/onlyIfCached`` applies.
    public static func directives(_ directives: CacheDirectives) -> FetchPolicy {
        FetchPolicy(rule: .directives(directives))
    }
}
