public import Foundation
import HTTPRules

/// The requirements of a caller on stored data, in terms of HTTP (RFC 9111 §5.2.1).
///
///     let price = try await resource.get(.directives(CacheDirectives(maxStale: 60)))
///
/// They apply only to resources whose ``Configuration/freshness`` follows HTTP. They are not sent to the server.
public struct CacheDirectives: Hashable, Sendable {
    /// The time after the end of its lifetime during which the caller accepts data, in seconds. 0 accepts no stale data.
    /// `.infinity` accepts data of any age. Stale data is never accepted if the server must confirm it before each use.
    public var maxStale: TimeInterval

    /// The time for which the data must still be fresh, in seconds.
    public var minFresh: TimeInterval

    /// True if the network must not be used. Without acceptable data, the call fails with
    /// ``RequestError/Code/notStored`` and the status 504.
    public var onlyIfCached: Bool

    /// Creates directives. The defaults are the directives of ``FetchPolicy/ifStale``. A time that is negative or not a number
    /// counts as 0. Fractions of seconds are cut off.
    public init(maxStale: TimeInterval = 0, minFresh: TimeInterval = 0, onlyIfCached: Bool = false) {
        (self.maxStale, self.minFresh, self.onlyIfCached) = (maxStale, minFresh, onlyIfCached)
    }

    /// The directives of a request, together with those of its headers.
    func added(to directives: RequestDirectives) -> RequestDirectives {
        var result = directives
        result.onlyIfCached = directives.onlyIfCached || onlyIfCached
        if let maxStale = Self.seconds(maxStale) { result.maxStale = max(directives.maxStale ?? 0, maxStale) }
        if let minFresh = Self.seconds(minFresh) { result.minFresh = max(directives.minFresh ?? 0, minFresh) }
        return result
    }

    /// Returns a time in whole seconds; nil for 0.
    private static func seconds(_ time: TimeInterval) -> UInt32? {
        time >= 1 ? UInt32(min(time, TimeInterval(UInt32.maximumDelta))) : nil
    }
}
