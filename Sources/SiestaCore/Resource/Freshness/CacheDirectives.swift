import Foundation
import HTTPRules

/// The requirements of a caller for stored data; see ``FetchPolicy/directives(maxStale:minFresh:onlyIfCached:)``.
struct CacheDirectives: Sendable {
    var maxStale: TimeInterval = 0
    var minFresh: TimeInterval = 0
    var onlyIfCached = false

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
