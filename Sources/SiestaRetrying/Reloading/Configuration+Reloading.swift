public import Foundation
public import SiestaCore

/// An occasion on which the library loads a resource automatically; see ``Configuration/reload``.
///
/// On each occasion, the library calls ``Resource/loadIfNeeded()`` on the observed resources with this option. Each
/// resource is loaded in this way at most once every 5 seconds. Further occasions within these 5 seconds are skipped.
/// If there are many resources, their loads are spread over up to 5 seconds.
public enum ReloadTrigger: Sendable {
    /// An observer was added to the resource.
    case observed
    /// The app came to the foreground, and there is a network; see ``AppActivity``.
    case foreground
    /// The network is available again, even if the app is in the background; see ``NetworkStatus``.
    case reconnected
}

extension Configuration {
    /// The occasions on which an observed resource is loaded automatically. The default is none.
    public var reload: Set<ReloadTrigger> {
        get { self[ReloadKey.self] }
        set { self[ReloadKey.self] = newValue }
    }

    /// The delay, in seconds, with which the loads of a resource are cancelled after its last observer is gone. If a
    /// new observer is added during the delay, the loads continue. The default is nil: such loads are not cancelled.
    ///
    /// Two kinds of loads are never cancelled in this way: loads for which a task waits, and loads during which the
    /// resource had no observer. Negative values and NaN count as 0. This option is read from the configuration for
    /// GET.
    public var cancelsLoadsAfterLastObserver: TimeInterval? {
        get { self[CancelsLoadsAfterLastObserverKey.self] }
        set { self[CancelsLoadsAfterLastObserverKey.self] = newValue }
    }

    /// Sets the options that suit most apps:
    ///
    /// | option | value |
    /// |---|---|
    /// | ``retry`` | ``RetryPolicy/standard`` |
    /// | ``reload`` | ``ReloadTrigger/observed``, ``ReloadTrigger/foreground``, ``ReloadTrigger/reconnected`` |
    ///
    /// All other options keep their values. Call this method in a rule for all resources; later rules can change single
    /// options:
    ///
    ///     service.configure { $0.useRecommendedReloading() }
    ///     service.configure("/feed/**") { $0.reload = [.reconnected] }
    public mutating func useRecommendedReloading() {
        retry = .standard
        reload = [.observed, .foreground, .reconnected]
    }
}

private struct ReloadKey: FeatureKey {
    static let defaultValue: Set<ReloadTrigger> = []

    static func text(of triggers: Set<ReloadTrigger>) -> String {
        triggers.isEmpty ? "never" : triggers.map { "\($0)" }.sorted().joined(separator: ", ")
    }

    static func prepare(_ context: ResourceContext, for configuration: Configuration) {
        guard !configuration.reload.isEmpty else { return }
        _ = context.feature(Reloading.self)
        if !configuration.reload.isDisjoint(with: [.foreground, .reconnected]) { context.device.start() }
    }
}

private struct CancelsLoadsAfterLastObserverKey: FeatureKey {
    static let defaultValue: TimeInterval? = nil

    static func prepare(_ context: ResourceContext, for configuration: Configuration) {
        if configuration.cancelsLoadsAfterLastObserver != nil { _ = context.feature(Reloading.self) }
    }

    static func text(of time: TimeInterval?) -> String {
        time.map { "after \($0.formatted(decimals: 3)) s" } ?? "never"
    }
}
