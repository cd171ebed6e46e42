/// A change of the network or of the app's activity.
package enum ConditionsChange {
    /// The network is available again.
    case reconnected
    /// The app came to the foreground.
    case foreground
    /// The app has lost the network or its place in the foreground.
    case other
}

/// The network and the activity of the app, for the resources of one service. It watches them only after the first use.
package final class Conditions: ServiceExtension {
    /// The owner of the handlers. If the sources change, another owner replaces it.
    private final class Watch {}

    private weak var context: ResourceContext?
    private var chosenNetwork: (any NetworkStatus)?
    private var chosenActivity: (any AppActivity)?
    private var watch: Watch?
    private var wasConnected = true
    /// The requests that wait for the network.
    private var waiting = ObjectTable<() -> Void>()

    package init(context: ResourceContext) {
        self.context = context
    }

    var network: any NetworkStatus {
        get { chosenNetwork ?? SystemNetworkStatus.shared }
        set { replace(\.chosenNetwork, with: newValue) }
    }

    var activity: any AppActivity {
        get { chosenActivity ?? SystemAppActivity.shared }
        set { replace(\.chosenActivity, with: newValue) }
    }

    /// Replaces a source. The old one is released last, because its release may run code of the app.
    private func replace<Source>(_ source: ReferenceWritableKeyPath<Conditions, Source?>, with new: Source) {
        let old = exchange(&self[keyPath: source], with: new)
        restart()
        extendLifetime(old)
    }

    package var isConnected: Bool { network.isConnected }

    /// True if the app is in the foreground.
    package var isActive: Bool { activity.isActive }

    /// True if the app is in the foreground and has a network.
    package var permitReloads: Bool { activity.isActive && isConnected }

    /// Begins to watch the sources.
    package func start() {
        guard watch == nil else { return }
        let watch = Watch()
        self.watch = watch
        wasConnected = isConnected
        network.onChange(owner: watch) { [weak self] in self?.networkChanged() }
        activity.onChange(owner: watch) { [weak self] in self?.activityChanged() }
    }

    private func restart() {
        guard watch != nil else { return }
        let wasConnected = wasConnected
        watch = nil
        start()
        let isConnected = isConnected
        context?.clock.whileCurrent {
            if isConnected { releaseWaiting() }
            tell(isConnected && !wasConnected ? .reconnected : .other)
        }
    }

    /// Calls `action` when the network is available, unless ``stopWaiting(_:)`` is called before.
    package func waitForNetwork(_ request: AnyObject, _ action: @escaping () -> Void) {
        start()
        _ = waiting.set(action, of: request)
    }

    package func stopWaiting(_ request: AnyObject) {
        _ = waiting.set(nil, of: request)
    }

    private func networkChanged() {
        let isConnected = isConnected
        guard isConnected != exchange(&wasConnected, with: isConnected) else { return }
        context?.clock.whileCurrent {
            SiestaLog.log(.network, [isConnected ? "The network is available" : "The network is not available"])
            if isConnected { releaseWaiting() }
            tell(isConnected ? .reconnected : .other)
        }
    }

    private func tell(_ change: ConditionsChange) {
        for feature in context?.extensions ?? [] { feature.conditionsChanged(change) }
    }

    private func releaseWaiting() {
        for action in waiting.removeAll() { action() }
    }

    private func activityChanged() {
        context?.clock.whileCurrent {
            tell(activity.isActive ? .foreground : .other)
        }
    }
}

extension ResourceContext {
    /// The network and the activity of the app, which this service watches after the first use.
    package var conditions: Conditions { feature(Conditions.self) }
}
