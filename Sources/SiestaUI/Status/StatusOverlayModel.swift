public import Foundation
public import Observation
public import SiestaCore

/// A model for a view that covers the content of resources while they are being loaded or after a load has failed.
///
///     let status = StatusOverlayModel(displayPriority: .dataFirst)
///     status.add(profile)
///     status.add(posts)
///     status.onChange = { [weak view] in view?.apply(status.display) }
///
/// The rules in ``displayPriority`` decide what is shown. A load that ends quickly is not shown at all. The status of a
/// longer load stays visible for a minimum time; see ``loadingDelay`` and ``minimumLoadingTime``. If a resource has a
/// source of live updates, a line shows the state of the updates.
///
/// The model observes its resources until it is released. The view must hold a reference to the model. The model does
/// not load the resources: call `loadIfNeeded()` when the view appears. Each event is handled in constant time,
/// regardless of the number of resources.
@MainActor
@Observable
public final class StatusOverlayModel: ResourceObserver {
    /// The status to show. Observation tracks this property.
    public private(set) var display = StatusDisplay.content

    /// A closure that is called after each change of ``display``, for views that do not use Observation.
    @ObservationIgnored public var onChange: (() -> Void)?

    /// The widget that uses ``onChange``: the last one that was created with this model. An earlier one, which may be destroyed
    /// later, leaves the model alone.
    @ObservationIgnored package weak var view: AnyObject?

    /// The rules that decide what is shown, in order of priority.
    @ObservationIgnored public var displayPriority: [StateRule] { didSet { update() } }

    /// The strings for messages. The default is the value of ``StatusWords/current`` when the model is created.
    @ObservationIgnored public var words: StatusWords { didSet { update() } }

    /// The time for which a load must run before it is shown, in seconds. The default is 0.3.
    public var loadingDelay: TimeInterval {
        get { timing.loadingDelay }
        set {
            timing.loadingDelay = newValue
            update()
        }
    }

    /// The minimum time for which the status of a load stays visible, in seconds. The default is 0.5.
    public var minimumLoadingTime: TimeInterval {
        get { timing.minimumLoadingTime }
        set {
            timing.minimumLoadingTime = newValue
            update()
        }
    }

    /// The observed resources, in the order in which they were added.
    public var resources: [Resource] { observed.all }

    @ObservationIgnored private var observed = StatusResources()

    @ObservationIgnored private var timing = StatusTiming<StatusDisplay>(
        loadingDelay: StatusDisplay.loadingDelay, minimumLoadingTime: StatusDisplay.minimumLoadingTime)
    @ObservationIgnored private var manualLoads: [ObjectIdentifier: any Request] = [:]
    @ObservationIgnored private let clock: SiestaClock
    @ObservationIgnored private let timer = UpdateTimer()
    /// True while the status is being computed.
    @ObservationIgnored private var isUpdating = false
    /// True if the status must be computed again afterwards.
    @ObservationIgnored private var isOutdated = false

    /// Creates a model without resources. It measures time with `SiestaClock.current`.
    public init(displayPriority: [StateRule] = .standard) {
        (self.displayPriority, words, clock) = (displayPriority, .current, .current)
    }

    /// Adds a resource. Does nothing if the resource has already been added.
    ///
    /// This call has the same effect as `resource.addObserver(model)`.
    public func add(_ resource: any ResourceConvertible) {
        resource.resource.addObserver(self)
    }

    /// Removes a resource.
    ///
    /// This call has the same effect as `resource.removeObservers(ownedBy: model)`.
    public func remove(_ resource: any ResourceConvertible) {
        resource.resource.removeObservers(ownedBy: self)
    }

    /// Loads the resources whose last load has failed. If a load is waiting for its next attempt after a failure, this
    /// attempt starts at once. The model treats all these loads as manual loads.
    ///
    /// If a load is already running, no second load is started. A load that waits for the network or because of a limit
    /// on the number of requests continues to wait.
    public func retry() {
        for resource in resources where resource.latestError != nil || resource.retry?.isAfterFailure == true {
            resource.retryNow()
            trackManualLoad(resource.joinLoad())
        }
    }

    /// Marks `request` as a manual load, that is, a load that the user has requested. The rule
    /// ``StateRule/manualLoading`` applies until the request completes.
    public func trackManualLoad(_ request: any Request) {
        guard !request.isCompleted, manualLoads.updateValue(request, forKey: ObjectIdentifier(request)) == nil else {
            return
        }
        request.onCompletion { [weak self, weak request] _ in
            guard let request else { return }
            self?.manualLoads[ObjectIdentifier(request)] = nil
            self?.update()
        }
        update()
    }

    /// Reads the state of a resource. The first read may run code of the app, such as configurers, which may cause events.
    /// Therefore the state is read again, and before the collection changes.
    private func read(_ resource: Resource) {
        _ = StatusRules.Item(resource)
        let item = StatusRules.Item(resource)
        observed.set(item, of: resource)
    }

    // MARK: Observing

    /// Adds the resource when its observation begins, and updates the status after each event.
    public func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        if case .observerAdded = event { observed.add(resource) }
        read(resource)
        update()
    }

    /// Updates the status when a request begins to wait or stops waiting.
    public func resourceRetryChanged(_ resource: Resource, retry: Resource.Retry?) {
        read(resource)
        update()
    }

    /// Removes the resource when its observation has ended.
    public func stoppedObserving(resource: Resource) {
        observed.remove(resource)
        update()
    }

    // MARK: Updating

    /// Computes the status anew. If code of the app that is called in the meantime changes the resources, the status is
    /// computed once more. Code that always does so is stopped after 100 times.
    private func update() {
        isOutdated = true
        guard !isUpdating else { return }
        isUpdating = true
        defer { isUpdating = false }
        for _ in 0..<100 where isOutdated {
            isOutdated = false
            show(at: clock.monotonicTime)
        }
    }

    private func show(at now: TimeInterval) {
        let rules = StatusRules(priority: displayPriority)
        let decision = rules.decide(observed.tally, hasManualLoad: !manualLoads.isEmpty)
        // Read before the words of the app, which may remove resources: the numbers of the others change then.
        let end = decision.subject.flatMap(endOfCountdown)
        let wanted = StatusDisplay(
            cover: decision.cover, message: decision.subject.flatMap(message), live: decision.live.map(words.line))
        let result = timing.update(wanted, isLoading: wanted.cover == .loading, shown: display, at: now)
        let next = [result.nextUpdate.map { $0 - now }, nextSecond(before: end)].compactMap(\.self).min()
        timer.fire(within: next, on: clock) { [weak self] in self?.update() }
        guard result.display != display else { return }
        display = result.display
        onChange?()
    }

    private func message(_ subject: StatusRules.Subject) -> StatusMessage? {
        switch subject {
        case .failure(let number): observed[number]?.latestError.map { words.message(for: $0, now: clock.wallTime) }
        case .wait(let number): observed[number]?.retry.map { words.message(for: $0, now: clock.wallTime) }
        }
    }

    /// Returns the time after which the countdown of a message shows the next number, in seconds.
    private func nextSecond(before time: TimeInterval?) -> TimeInterval? {
        guard let time else { return nil }
        let left = time - clock.wallTime
        guard left > 0, left.isFinite else { return nil }
        let part = left - (left.rounded(.up) - 1)
        return min(max(part, 0.01), 1)
    }
}

extension StatusOverlayModel {
    /// The time at which the countdown of a message ends, in seconds since the reference date.
    private func endOfCountdown(of subject: StatusRules.Subject) -> TimeInterval? {
        switch subject {
        case .failure(let number): observed[number]?.latestError?.nextRequestTime
        case .wait(let number): observed[number]?.retry?.date?.timeIntervalSinceReferenceDate
        }
    }
}

extension StatusOverlayModel: SilentChangeObserver {
    /// Updates the status when the data begins or ceases to follow the server.
    package func resourceChangedSilently(_ resource: Resource) {
        read(resource)
        update()
    }
}

extension StatusRules.Item {
    /// The present state of a resource.
    @MainActor
    init(_ resource: Resource) {
        self.init(
            hasData: resource.latestData != nil, isLoading: resource.isLoading, hasError: resource.latestError != nil,
            isWaiting: resource.isLoading && resource.retry != nil,
            live: resource.pushStatus.flatMap { LiveLine.Kind($0) })
    }
}

extension LiveLine.Kind {
    /// The kind of the line about a resource; nil before its first connection.
    init?(_ status: PushStatus) {
        switch status.phase {
        case .connecting, .catchingUp:
            guard status.isResuming else { return nil }
            self = .reconnecting
        case .current: self = .live
        case .interrupted: self = .reconnecting
        case .ended: self = .notLive
        }
    }
}

extension Resource.Retry {
    /// True if the wait follows a failed attempt. Such a wait may be ended early by a person.
    var isAfterFailure: Bool {
        switch reason {
        case .connection, .status, .other: true
        case .offline, .server, .rate, .concurrency: false
        }
    }
}
