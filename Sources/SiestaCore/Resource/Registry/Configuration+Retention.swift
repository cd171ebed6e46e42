public import Foundation

extension Configuration {
    /// The time for which a resource may stay unused before it is dropped from memory, in seconds. The default is nil,
    /// which means no limit. Negative values and NaN count as 0.
    ///
    /// A resource is unused if it has no observers and no running requests, and if the app does not reference it. The
    /// service checks for unused resources periodically. The interval is half the shortest retention of its resources,
    /// with a minimum of one second and a maximum of one hour. A resource may therefore stay in memory for up to two
    /// intervals longer than its retention. Persistent caches keep the data of dropped resources. See also
    /// ``Service/cachedResourceCountLimit`` and ``Service/cachedResourceByteLimit``.
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
