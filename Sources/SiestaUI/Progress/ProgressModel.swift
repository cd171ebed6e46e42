import Dispatch
public import Foundation
public import Observation
public import SiestaCore

/// The progress of one or several requests, for a progress bar. The progress is smooth and never decreases.
///
///     let progress = ProgressModel(following: repositories)
///     progress.onChange = { [weak bar, weak progress] in bar?.show(progress?.fraction, progress?.isActive) }
///
/// The model shows the estimates of the library (`Request.progress`), which include the wait for the response. Until
/// there is an estimate, the progress is indeterminate. Several requests count equally. If another request begins while
/// the bar is shown, the bar does not go back: all requests share the remaining part of the bar.
///
/// Requests that end within ``delay`` are not shown. At the end, the bar advances to 1 and then disappears.
///
/// A model counts as an observer of the resources that it follows. The progress changes at most 30 times a second, and
/// only while requests are running. Use a model on the main actor. The view must hold a reference to the model.
@MainActor
@Observable
public final class ProgressModel: ResourceObserver {
    /// The progress from 0 to 1; nil if the progress is unknown, or if the model is not active.
    public private(set) var fraction: Double?

    /// True while a progress bar should be visible.
    public private(set) var isActive = false

    /// A closure that is called after each change of ``fraction`` and ``isActive``, for views that do not use
    /// Observation.
    @ObservationIgnored public var onChange: (() -> Void)?

    /// The widget that uses ``onChange``: the last one that was created with this model. An earlier one, which may be destroyed
    /// later, leaves the model alone.
    @ObservationIgnored package weak var view: AnyObject?

    /// The time for which requests must run before they are shown, in seconds. The default is 0.3.
    @ObservationIgnored public var delay: TimeInterval = 0.3

    @ObservationIgnored private var batch = ProgressBatch<ProgressKey>()
    @ObservationIgnored private var smooth = SmoothProgress()
    @ObservationIgnored private var begin: TimeInterval?
    @ObservationIgnored private var isTicking = false
    @ObservationIgnored private var lastNumber = 0
    @ObservationIgnored private let clock: SiestaClock

    /// The time between two changes, in seconds.
    @ObservationIgnored private let interval: TimeInterval = 1.0 / 30

    /// Creates a model that follows no request, and uses the current clock.
    public init() {
        clock = .current
    }

    /// Creates a model that follows the loads of some resources.
    public convenience init(following resources: any ResourceConvertible...) {
        self.init()
        for resource in resources { follow(resource) }
    }

    /// Follows all loads of a resource, now and later. Several loads of one resource count as one.
    public func follow(_ resource: any ResourceConvertible) {
        resource.resource.addObserver(self)
    }

    /// Stops following the loads of a resource. A load that is running counts as complete.
    public func stopFollowing(_ resource: any ResourceConvertible) {
        resource.resource.removeObservers(ownedBy: self)
    }

    /// Follows one request until it completes.
    public func track(_ request: any Request) {
        guard !request.isCompleted else { return }
        lastNumber += 1
        let key = ProgressKey.request(lastNumber)
        start(key, at: request.progress)
        // The hooks hold the end. It is released with them if the request is never started.
        let end = ReleaseAction { [weak self] in self?.end(key) }
        request.onProgress { [weak self] in self?.batch.advance(key, to: $0) }
        request.onCompletion { _ in end.perform() }
    }

    // MARK: Observing

    /// Records the beginning and the end of loads.
    public func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        if resource.isLoading {
            start(.resource(ObjectIdentifier(resource)), at: resource.snapshot.progress ?? 0)
        } else {
            end(.resource(ObjectIdentifier(resource)))
        }
    }

    /// Records the progress of a load.
    public func resourceRequestProgress(for resource: Resource, progress: Double) {
        batch.advance(.resource(ObjectIdentifier(resource)), to: progress)
    }

    /// Counts a load of the resource as complete.
    public func stoppedObserving(resource: Resource) {
        end(.resource(ObjectIdentifier(resource)))
    }

    // MARK: Showing

    private func start(_ key: ProgressKey, at progress: Double) {
        if begin == nil || batch.isComplete { startBatch() }
        batch.begin(key, at: progress)
        tick(after: min(interval, max(0, delay)))
    }

    /// Starts a new batch. If the bar still runs to the end of the last batch, it goes on from its place. If it has almost
    /// arrived, it starts again.
    private func startBatch() {
        let isContinued = isActive && smooth.value < Self.restartValue
        if !isContinued { smooth = SmoothProgress() }
        if !isActive { begin = clock.monotonicTime }
        batch = ProgressBatch(from: smooth.value)
    }

    /// The value from which on a bar starts again if another request begins.
    private static var restartValue: Double { 0.9 }

    private func end(_ key: ProgressKey) {
        batch.end(key)
    }

    private func tick(after delay: TimeInterval) {
        guard !isTicking else { return }
        isTicking = true
        clock.scheduleReport(after: delay) { [weak self] in
            self?.isTicking = false
            self?.update()
        }
    }

    private func update() {
        let now = clock.monotonicTime
        guard let begin else { return }
        if !isActive {
            guard !batch.isComplete else { return self.begin = nil }
            guard now - begin >= delay else { return tick(after: min(max(begin + delay - now, interval), 1)) }
        }
        smooth.approach(batch.hasEstimate ? batch.value : 0, at: now)
        if batch.isComplete, smooth.value >= 1 {
            self.begin = nil
            show(nil, isActive: false)
        } else {
            tick(after: interval)
            show(batch.hasEstimate ? smooth.value : nil, isActive: true)
        }
    }

    private func show(_ fraction: Double?, isActive: Bool) {
        guard fraction != self.fraction || isActive != self.isActive else { return }
        if fraction != self.fraction { self.fraction = fraction }
        if isActive != self.isActive { self.isActive = isActive }
        onChange?()
    }
}

/// The identity of a part of a ``ProgressBatch``.
private enum ProgressKey: Hashable, Sendable {
    /// All loads of a resource.
    case resource(ObjectIdentifier)
    /// A request, by a number that is used once.
    case request(Int)
}

/// An action that runs on the main actor when it is asked for, and when the object is released. It may run twice.
private final class ReleaseAction: Sendable {
    private let action: @MainActor @Sendable () -> Void

    init(_ action: @escaping @MainActor @Sendable () -> Void) {
        self.action = action
    }

    @MainActor
    func perform() {
        action()
    }

    deinit {
        let action = action
        DispatchQueue.main.async { MainActor.assumeIsolated { action() } }
    }
}
