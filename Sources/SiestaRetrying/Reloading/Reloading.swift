import Foundation
import SiestaCore

/// The reload of a resource.
final class LastReload: ResourceExtension {
    /// The monotonic time of the last reload, in seconds.
    fileprivate var time = -TimeInterval.infinity
    /// True if a reload was put off.
    fileprivate var isPostponed = false
}

/// The loads of one service that nobody asked for: reloads on certain occasions, and polls. It also cancels loads that
/// nobody observes any more, if the configuration says so.
final class Reloading: ServiceExtension {
    /// The shortest time between two reloads of a resource, in seconds.
    static let interval: TimeInterval = 5
    /// The number of loads that start at once, without being spread.
    private static let countAtOnce = 8
    /// The number of groups into which more loads are spread.
    private static let groupCount = 50

    private unowned let context: ResourceContext
    private(set) lazy var poller = Poller(clock: context.clock, isPermitted: context.device.permitReloads) {
        [unowned self] in reload($0, after: RetryRules.minimumDelay)
    }
    private var hasPolls = false
    private lazy var abandonment = AbandonedLoads(clock: context.clock)

    init(context: ResourceContext) {
        self.context = context
    }

    // MARK: Events

    /// Reacts to a new observer.
    func observed(_ resource: Resource) {
        let configuration = resource.resolvedConfiguration(for: .get).configuration
        if configuration.cancelsLoadsAfterLastObserver != nil { abandonment.check(resource) }
        if configuration.reload.contains(.observed) { reload(resource, after: Self.interval) }
        if hasPolls { poller.resume(resource) }
    }

    /// Reacts to the removal of observers.
    func unobserved(_ resource: Resource) {
        if resource.resolvedConfiguration(for: .get).configuration.cancelsLoadsAfterLastObserver != nil {
            abandonment.check(resource)
        }
    }

    func loadBegan(_ resource: Resource) {
        if let delay = resource.resolvedConfiguration(for: .get).configuration.cancelsLoadsAfterLastObserver {
            abandonment.watch(resource, delay: delay)
        }
    }

    /// Reacts to the end of a load. A cancelled reload does not delay the next one.
    func loadEnded(_ resource: Resource, _ event: ResourceEvent, with info: ResponseInfo) {
        if event == .requestCancelled, let last = resource.known(LastReload.self) {
            last.time = min(last.time, context.clock.monotonicTime - Self.interval + RetryRules.minimumDelay)
        }
        abandonment.check(resource)
        if hasPolls { poller.loadEnded(resource) }
    }

    /// Reacts to a change of the network or of the app's activity.
    func deviceChanged(_ change: DeviceChange) {
        let isPermitted = context.device.permitReloads
        let polled = hasPolls ? poller.permit(isPermitted) : []
        guard let trigger = ReloadTrigger(change), context.device.isConnected else { return }
        let triggered = context.resources.filter {
            $0.resolvedConfiguration(for: .get).configuration.reload.contains(trigger) && $0.isObserved
        }
        spread(Array(Set(polled.filter(\.isObserved) + triggered)))
    }

    // MARK: Loading

    /// Loads a resource if it needs it, unless the last reload was less than `gap` seconds ago.
    private func reload(_ resource: Resource, after gap: TimeInterval) {
        let now = context.clock.monotonicTime
        let last = resource.extended(with: LastReload())
        guard resource.isObserved, !resource.state.isLoading, now - last.time >= gap else { return }
        SiestaLog.log(.staleness, [resource, "is loaded if it needs it"])
        // Set before, because code of the app may cause the next occasion while the load is started.
        let earlier = exchange(&last.time, with: now)
        if context.because(.trigger, { resource.loadIfNeeded() }) == nil { last.time = earlier }
    }

    /// Loads resources: a few at once, many in groups over a longer time.
    private func spread(_ resources: [Resource]) {
        guard resources.count > Self.countAtOnce else {
            for resource in resources { reloadSoon(resource) }
            return
        }
        let time = min(Self.interval, Double(resources.count) * 0.02)
        let groups = Dictionary(grouping: resources) { _ in
            Int(context.clock.fraction * Double(Self.groupCount))
        }
        for (group, members) in groups {
            context.clock.schedule(after: time * Double(group) / Double(Self.groupCount)) { [weak self] in
                for resource in members { self?.reloadSoon(resource) }
            }
        }
    }

    /// Loads a resource if it needs it: at once, or when the last reload and the last error are old enough.
    private func reloadSoon(_ resource: Resource) {
        guard mayReload(resource) else { return }
        let now = context.clock.monotonicTime
        let last = resource.extended(with: LastReload())
        let retryTime = resource.resolvedConfiguration(for: .get).freshnessLimits.retryTime
        let pause = max(
            last.time + Self.interval - now,
            resource.state.error != nil && resource.isUpToDateNow ? min(max(retryTime, 0) + 0.1, Self.interval) : 0)
        guard pause > 0 else { return reload(resource, after: Self.interval) }
        guard !last.isPostponed else { return }
        last.isPostponed = true
        context.clock.schedule(after: pause) { [weak self, weak resource] in
            last.isPostponed = false
            guard let self, let resource, mayReload(resource) else { return }
            reload(resource, after: Self.interval)
        }
    }

    /// True if there is a network, and the app is in the foreground or need not be.
    private func mayReload(_ resource: Resource) -> Bool {
        guard context.device.isConnected else { return false }
        return context.device.permitReloads
            || resource.resolvedConfiguration(for: .get).configuration.reload.contains(.reconnected)
    }

    // MARK: Polling

    func poll(_ resource: Resource, every interval: TimeInterval, owner: AnyObject) {
        hasPolls = true
        context.device.start()
        poller.poll(resource, every: interval, owner: owner)
        context.watchOwners(of: self)
    }

    func stopPolling(_ resource: Resource, owner: AnyObject) {
        if hasPolls { poller.stop(resource, owner: owner) }
    }

    /// Ends the polls of resources, and forgets when they were reloaded.
    func principalChanged(of resources: [Resource]) {
        for resource in resources {
            resource.known(LastReload.self)?.time = -.infinity
            if hasPolls { poller.end(resource) }
        }
    }

    /// Forgets polled resources whose owners are gone.
    func serviceWasReleased() {
        if hasPolls { poller.sweep() }
    }
}

extension Reloading: OwnerHolder {
    func dismissReleasedOwners() -> Bool {
        guard hasPolls else { return false }
        poller.sweep()
        return !poller.isEmpty
    }
}

extension ReloadTrigger {
    /// The occasion for reloads; nil if there is none.
    fileprivate init?(_ change: DeviceChange) {
        switch change {
        case .reconnected: self = .reconnected
        case .foreground: self = .foreground
        case .other: return nil
        }
    }
}
