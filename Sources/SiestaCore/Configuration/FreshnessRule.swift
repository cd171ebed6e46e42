public import Foundation

/// The rule that decides how long data is fresh.
///
///     service.configure { $0.freshness = .http }
///
/// The rule applies to ``Resource/isUpToDate``, ``Resource/loadIfNeeded()`` and ``Resource/get(_:)``, to snapshots, and
/// to data from persistent caches. See <doc:HTTPCaching>.
public struct FreshnessRule: Equatable, Sendable {
    let followsHTTP: Bool
    let fallback: TimeInterval?

    /// Data is fresh for the ``Configuration/expirationTime``, regardless of the headers of its response. This rule is
    /// the default, and the behavior of Siesta 1.5.
    public static let fixed = FreshnessRule(followsHTTP: false, fallback: nil)

    /// The headers of the response determine how long data is fresh (RFC 9111 §4.2), as in a private cache.
    ///
    /// If the response specifies no lifetime, the lifetime is a tenth of the time from its `Last-Modified` to its
    /// `Date`, and at most one day (§4.2.2). If `Last-Modified` is also missing, the lifetime is the
    /// ``Configuration/expirationTime``. These two lifetimes apply only if the response has `Cache-Control: public`, or
    /// a heuristically cacheable status such as 200 (RFC 9110 §15.1).
    public static let http = FreshnessRule(followsHTTP: true, fallback: nil)

    /// Returns the rule ``http``, but with the given lifetime for responses that neither specify a lifetime nor have a
    /// `Last-Modified`.
    ///
    /// - Parameter fallback: The lifetime in seconds. If the value is 0, the server must confirm such data before each
    ///   use. Negative values and NaN count as 0.
    public static func http(fallback: TimeInterval) -> FreshnessRule {
        FreshnessRule(followsHTTP: true, fallback: fallback > 0 ? fallback : 0)
    }
}

extension Configuration {
    /// The rule that decides how long data is fresh. The default is ``FreshnessRule/fixed``, which uses the
    /// ``expirationTime``.
    public var freshness: FreshnessRule {
        get { self[FreshnessKey.self] }
        set { self[FreshnessKey.self] = newValue }
    }
}

private struct FreshnessKey: ConfigurationKey {
    static let defaultValue = FreshnessRule.fixed

    static func text(of rule: FreshnessRule) -> String {
        guard rule.followsHTTP else { return "fixed" }
        return rule.fallback.map { "http, fallback \($0) s" } ?? "http"
    }
}
