/// A change of the network or of the app's activity.
package enum DeviceChange {
    /// The network is available again.
    case reconnected
    /// The app came to the foreground.
    case foreground
    /// The app has lost the network or its place in the foreground.
    case other
}

/// The network and the activity of the app, as one service sees them. It watches them only after the first use.
@MainActor
package final class DeviceStatus {
    /// The owner of the handlers. If the sources change, another owner replaces it.
    private final class Watch {}

    private let clock: SiestaClock
    private let tell: (DeviceChange) -> Void
    private var chosenNetwork: NetworkStatus?
    private var chosenActivity: AppActivity?
    private var watch: Watch?
    private var wasConnected = true
    /// The requests that wait for the network.
    private var waiting = ObjectTable<() -> Void>()

    /// - Parameter tell: Is called with each change after ``start()``.
    package init(clock: SiestaClock, tell: @escaping (DeviceChange) -> Void) {
        (self.clock, self.tell) = (clock, tell)
    }

    package var network: NetworkStatus {
        get { chosenNetwork ?? .system }
        set { replace(\.chosenNetwork, with: newValue) }
    }

    package var activity: AppActivity {
        get { chosenActivity ?? .system }
        set { replace(\.chosenActivity, with: newValue) }
    }

    /// Replaces a source. The old one is released last, because its release may run code of the app.
    private func replace<Source>(_ source: ReferenceWritableKeyPath<DeviceStatus, Source?>, with new: Source) {
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
        clock.whileCurrent {
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
        clock.whileCurrent {
            SiestaLog.log(.network, [isConnected ? "The network is available" : "The network is not available"])
            if isConnected { releaseWaiting() }
            tell(isConnected ? .reconnected : .other)
        }
    }

    private func releaseWaiting() {
        for action in waiting.removeAll() { action() }
    }

    private func activityChanged() {
        clock.whileCurrent {
            tell(activity.isActive ? .foreground : .other)
        }
    }
}
