public import Foundation

/// The data that a call of ``Resource/get(_:)`` accepts, and when the call asks the server.
public struct FetchPolicy: Sendable {
    enum Rule: Sendable {
        case ifStale
        case ifOlder(TimeInterval)
        case always
        case cached
        case directives(CacheDirectives)
    }

    let rule: Rule

    /// Loads the resource only if its data is not fresh, and waits for a load that is already running. The default.
    ///
    /// ``Configuration/freshness`` and ``Configuration/expirationTime`` decide how long data is fresh. If the freshness
    /// follows HTTP, the call also returns stale data without an error if the server allows this: during
    /// `stale-while-revalidate`, after a failed load within `stale-if-error`, or if the server could not be reached. See
    /// <doc:HTTPCaching>.
    public static let ifStale = FetchPolicy(rule: .ifStale)

    /// Sends a request, even if the data is fresh or a load is already running.
    public static let always = FetchPolicy(rule: .always)

    /// Accepts data of any age from memory or from a persistent cache, and never uses the network. Without data, the call
    /// fails with ``RequestError/Code/notStored``.
    ///
    /// If the waiting task is cancelled, the wait ends, and the read of the cache continues.
    public static let cached = FetchPolicy(rule: .cached)

    /// Works as ``ifStale``, but `age` takes the place of ``Configuration/expirationTime``. If the freshness follows
    /// HTTP, `age` counts in addition to the lifetime that the server names.
    ///
    /// - Parameter age: The age up to which data is accepted, in seconds. If it is negative or not a number, no data is
    ///   new enough.
    public static func ifOlder(than age: TimeInterval) -> FetchPolicy { FetchPolicy(rule: .ifOlder(age)) }

    /// Works as ``ifStale``, with the wishes of the caller in the terms of HTTP. If the ``Configuration/freshness`` of the
    /// resource does not follow HTTP, only ``CacheDirectives/onlyIfCached`` counts.
    public static func directives(_ directives: CacheDirectives) -> FetchPolicy {
        FetchPolicy(rule: .directives(directives))
    }
}
