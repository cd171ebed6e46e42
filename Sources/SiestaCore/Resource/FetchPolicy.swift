public import Foundation

/// A policy that determines which data a call to ``Resource/get(_:)`` accepts, and when the call sends a request.
public struct FetchPolicy: Sendable {
    enum Rule: Sendable {
        case ifStale
        case ifOlder(TimeInterval)
        case always
        case cached
        case directives(CacheDirectives)
    }

    let rule: Rule

    /// Loads the resource only if its data is not fresh. This is the default policy.
    ///
    /// If a load is already running, the call waits for this load even if the data is fresh, unless
    /// ``Configuration/freshness`` follows HTTP. In that case, the call returns fresh data at once.
    ///
    /// ``Configuration/freshness`` and ``Configuration/expirationTime`` determine how long data is fresh. If the
    /// freshness follows HTTP, the call may also return stale data: during the `stale-while-revalidate` period, during
    /// the `stale-if-error` period after a failed load, or, if the response has no `stale-if-error`, when the server
    /// cannot be reached. See <doc:HTTPCaching>.
    public static let ifStale = FetchPolicy(rule: .ifStale)

    /// Sends a request, even if the data is fresh or a load is already running.
    public static let always = FetchPolicy(rule: .always)

    /// Accepts data of any age from memory or from a persistent cache, and never uses the network. If there is no data,
    /// the call throws an error with the code ``RequestError/Code/notStored``.
    ///
    /// If the calling task is cancelled while a cache is being read, the call throws an error at once, but the read
    /// continues.
    public static let cached = FetchPolicy(rule: .cached)

    /// Works like ``ifStale``, but uses `age` instead of ``Configuration/expirationTime``. If the freshness follows
    /// HTTP, both `age` and the lifetime that the server specifies limit the age of the data.
    ///
    /// - Parameter age: The maximum age of the data, in seconds. If `age` is negative or NaN, no data is new enough.
    public static func ifOlder(than age: TimeInterval) -> FetchPolicy { FetchPolicy(rule: .ifOlder(age)) }

    /// Works like ``ifStale``, but also follows the given request directives of HTTP caching (RFC 9111 §5.2.1).
    ///
    ///     let price = try await resource.get(.directives(maxStale: 60))
    ///
    /// If the ``Configuration/freshness`` of the resource does not follow HTTP, only `onlyIfCached` applies. The
    /// directives are not sent to the server. Times are in seconds, and are rounded down to whole seconds. Negative
    /// times and NaN count as 0.
    ///
    /// - Parameters:
    ///   - maxStale: The maximum time since the data became stale. The default is 0: stale data is accepted only in the
    ///     cases in which ``ifStale`` accepts it. With `.infinity`, data of any age is accepted. If the response
    ///     forbids the use of stale data, for example with `must-revalidate`, this parameter has no effect.
    ///   - minFresh: The minimum time for which the data must stay fresh. The default is 0.
    ///   - onlyIfCached: True if the network must not be used. If there is no acceptable data, the call throws an error
    ///     with the code ``RequestError/Code/notStored`` and the status 504. The default is false.
    public static func directives(
        maxStale: TimeInterval = 0, minFresh: TimeInterval = 0, onlyIfCached: Bool = false
    ) -> FetchPolicy {
        FetchPolicy(
            rule: .directives(CacheDirectives(maxStale: maxStale, minFresh: minFresh, onlyIfCached: onlyIfCached)))
    }
}
