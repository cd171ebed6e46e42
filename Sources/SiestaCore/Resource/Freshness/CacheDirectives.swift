public import Foundation
import HTTPRules

/// The requirements of a caller for stored data, as HTTP cache directives (RFC 9111 §5.2.1).
///
///     let price = try await resource.get(.directives(CacheDirectives(maxStale: 60)))
///
/// If the ``Configuration/freshness`` of a resource does not follow HTTP, only ``onlyIfCached`` applies. The directives
/// are not sent to the server.
public struct CacheDirectives: Hashable, Sendable {
    /// The time for which the caller accepts data after the data's lifetime has ended, in seconds.
    ///
    /// With 0, no stale data is accepted. With `.infinity`, data of any age is accepted. If the server must confirm the
    /// data before each use, stale data is never accepted.
    public var maxStale: TimeInterval

    /// The time for which the data must still be fresh, in seconds.
    public var minFresh: TimeInterval

    /// True if the network must not be used. Without acceptable data, the call fails with
    /// ``RequestError/Code/notStored`` and the status 504.
    public var onlyIfCached: Bool

    /// Creates directives. The defaults are the directives of ``FetchPolicy/ifStale``. Negative values and NaN count as
    /// 0. Values are rounded down to whole seconds.
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
