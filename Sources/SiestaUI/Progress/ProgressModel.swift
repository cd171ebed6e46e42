import Dispatch
public import Foundation
public import Observation
public import SiestaCore

/// A model for a progress bar that shows the progress of one or several requests.
///
///     let progress = ProgressModel(following: repositories)
///     progress.onChange = { [weak bar, weak progress] in bar?.show(progress?.fraction, progress?.isActive) }
///
/// The progress is based on the library's estimates (`Request.progress`), which include the wait for the response.
/// Until there is an estimate, the progress is unknown. The progress moves smoothly, and all requests have the same
/// weight. If another request begins while others are running, the progress does not decrease: all requests share the
/// remaining part of the bar.
///
/// Requests that end within ``delay`` are not shown. When all requests have ended, the progress advances to 1, and the
/// model then becomes inactive.
///
/// A model observes the resources that it follows. The progress changes at most 30 times a second. The view must hold a
/// reference to the model.
@MainActor
@Observable
public final class ProgressModel: ResourceObserver {
    /// The progress from 0 to 1; nil if the progress is unknown, or if the model is not active.
    public private(set) var fraction: Double?

    /// True while a progress bar should be visible.
    public private(set) var isActive = false

    /// A closure that is called after each change of ``fraction`` or ``isActive``, for views that do not use
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

    /// Creates a model that does not follow any requests yet. It measures time with `SiestaClock.current`.
    public init() {
        clock = .current
    }

    /// Creates a model that follows the loads of the given resources.
    public convenience init(following resources: any ResourceConvertible...) {
        self.init()
        for resource in resources { follow(resource) }
    }

    /// Follows all current and future loads of a resource. Simultaneous loads of one resource are treated as one load.
    public func follow(_ resource: any ResourceConvertible) {
        resource.resource.addObserver(self)
    }

    /// Stops following the loads of a resource. A running load is treated as complete.
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

    /// Treats a running load of the resource as complete.
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
            // A delay that is not a number counts as none.
            guard !(now - begin < delay) else { return tick(after: min(max(begin + delay - now, interval), 1)) }
        }
        smooth.approach(batch.hasEstimate ? batch.value : 0, at: now)
        if batch.isComplete, fraction == 1 {  // The end was shown for one interval.
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
