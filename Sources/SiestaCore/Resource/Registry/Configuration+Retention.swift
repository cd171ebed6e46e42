public import Foundation

extension Configuration {
    /// The time in seconds after which an unused resource is dropped from memory. The default is nil: time alone drops no
    /// resource.
    ///
    /// A resource is unused if it has no observers, no running requests, and the app does not reference it. It is
    /// dropped after at least this time, and at most 1.5 times this time plus one second. Persistent caches keep its
    /// data. See also ``Service/cachedResourceCountLimit`` and ``Service/cachedResourceByteLimit``. Negative values and
    /// NaN count as 0.
    public var retention: TimeInterval? {
        get { self[RetentionKey.self] }
        set { self[RetentionKey.self] = newValue }
    }
}

private struct RetentionKey: FeatureKey {
    static let defaultValue: TimeInterval? = nil

    static func prepare(_ context: ResourceContext, for configuration: Configuration) {
        if let time = configuration.retention { context.feature(Retention.self).plan(for: time) }
    }

    static func text(of time: TimeInterval?) -> String { time.map { "\($0.formatted(decimals: 3)) s" } ?? "unlimited" }
}
