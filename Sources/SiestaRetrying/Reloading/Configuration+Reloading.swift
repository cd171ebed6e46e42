public import Foundation
public import SiestaCore

/// An event after which the library loads a resource automatically; see ``Configuration/reload``.
///
/// After the event, the library calls ``Resource/loadIfNeeded()`` on the observed resources whose
/// ``Configuration/reload`` contains this trigger. Each resource is loaded in this way at most once every 5 seconds. If
/// an observer is added within these 5 seconds, no load starts. If the app comes to the foreground or the network
/// returns within this time, the load starts when the 5 seconds have passed. If more than 8 resources need a load at
/// the same time, their loads are spread over up to 5 seconds.
public enum ReloadTrigger: Sendable {
    /// An observer was added to the resource.
    case observed
    /// The app came to the foreground, and there is a network; see ``AppActivity``.
    case foreground
    /// The network is available again, even if the app is in the background; see ``NetworkStatus``.
    case reconnected
}

extension Configuration {
    /// The events after which an observed resource is loaded automatically. By default, there are none.
    public var reload: Set<ReloadTrigger> {
        get { self[ReloadKey.self] }
        set { self[ReloadKey.self] = newValue }
    }

    /// The number of seconds between the loss of a resource's last observer and the cancellation of its loads. If a new
    /// observer is added during this time, the loads continue. The default is nil: the loads are not cancelled.
    ///
    /// Two kinds of loads are never cancelled in this way: loads that a task is waiting for, and loads during which the
    /// resource never had an observer. Negative values and NaN count as 0. This option is read from the configuration
    /// for GET.
    public var cancelsLoadsAfterLastObserver: TimeInterval? {
        get { self[CancelsLoadsAfterLastObserverKey.self] }
        set { self[CancelsLoadsAfterLastObserverKey.self] = newValue }
    }

    /// Sets these options to values that suit most apps:
    ///
    /// | option | value |
    /// |---|---|
    /// | ``retry`` | ``RetryPolicy/standard`` |
    /// | ``reload`` | ``ReloadTrigger/observed``, ``ReloadTrigger/foreground``, ``ReloadTrigger/reconnected`` |
    ///
    /// All other options keep their values. Call this method in a rule for all resources. Later rules can change
    /// individual options:
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
