package import Foundation
package import Siesta
package import SiestaUI

/// Observes the resources of one screen: their status, their progress, and the age and origin of their data.
///
/// All that is on view comes through here: each event makes the user interface draw the screen again.
@MainActor
package final class ResourceMonitor: ResourceObserver {
    /// Called after every event, and after progress.
    package var onChange: () -> Void = {}
    /// Called with every event before ``onChange``.
    package var onEvent: (Resource, ResourceEvent) -> Void = { _, _ in }
    /// Called with the progress of loads.
    package var onProgress: (Resource, Double) -> Void = { _, _ in }

    /// The status of all resources. Data is shown whenever there is any, with a banner about failures and waits. A view may
    /// take over the `onChange` of this model, and that of the next one.
    package let status: StatusOverlayModel
    /// The progress of all loads.
    package let progress: ProgressModel
    /// What is observed now, in the order in which it was asked for.
    package private(set) var resources: [Resource] = []
    /// When the loads began that are running, and how long those took that have ended since.
    private var (starts, durations) = ([Resource: TimeInterval](), [Resource: TimeInterval]())
    private let clock: SiestaClock
    /// The present by the clock of the monitor.
    package var now: Date { Date(timeIntervalSinceReferenceDate: clock.wallTime) }
    /// True while the set of resources changes, and the models do not fit it yet.
    private var isWatching = false

    /// Creates a monitor that observes nothing yet.
    package init(clock: SiestaClock = .current) {
        self.clock = clock
        (status, progress) = SiestaClock.$current.withValue(clock) {
            (StatusOverlayModel(displayPriority: .dataFirst), ProgressModel())
        }
        status.onChange = { [weak self] in self?.modelChanged() }
        progress.onChange = { [weak self] in self?.modelChanged() }
    }

    /// Observes these resources and no others, which loads those that are new here and stale.
    ///
    /// What is not wanted any more is cancelled, but for a moment's grace: the next screen may want the same.
    package func watch(_ wanted: [Resource]) {
        let added = wanted.filter { !resources.contains($0) }
        let removed = resources.filter { !wanted.contains($0) }
        resources = wanted
        isWatching = true
        defer { isWatching = false }
        for resource in removed {
            (starts[resource], durations[resource]) = (nil, nil)
            resource.removeObservers(ownedBy: self)
            status.remove(resource)
            progress.stopFollowing(resource)
            resource.cancelLoadIfUnobserved(afterDelay: 0.1)
        }
        for resource in added {
            resource.addObserver(self)
            status.add(resource)
            progress.follow(resource)
        }
    }

    package func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        switch event {
        case .observerAdded where resource.isLoading, .requested: starts[resource] = clock.monotonicTime
        case .observerAdded, .newData(.cache), .newData(.localOverride): break
        case .requestCancelled, .newData, .notModified, .error:
            durations[resource] = starts.removeValue(forKey: resource).map { clock.monotonicTime - $0 }
        }
        onEvent(resource, event)
        onChange()
    }

    private func modelChanged() {
        if !isWatching { onChange() }
    }

    package func resourceRequestProgress(for resource: Resource, progress: Double) {
        onProgress(resource, progress)
    }

    package func resourceRetryChanged(_ resource: Resource, retry: Resource.Retry?) {
        onChange()
    }
}

extension ResourceMonitor {
    /// True if any resource is loading.
    package var isLoading: Bool { resources.contains(where: \.isLoading) }

    /// True if a request waits for its next attempt, or for the network.
    package var isWaiting: Bool { resources.contains { $0.retry != nil } }

    /// The message to show: that of the status, or the wait of a request that is not a load, such as a star.
    package var message: StatusMessage? {
        if let message = status.display.message { return message }
        let wait = resources.lazy.filter { !$0.isLoading }.compactMap(\.retry).first
        return wait.map { status.words.message(for: $0, now: clock.wallTime) }
    }

    /// The age and the origin of the data now.
    package var freshness: Freshness {
        var freshness = Freshness()
        let states = resources.map { ($0, $0.snapshot) }
        freshness.hasFailed = states.contains { $1.error != nil }
        freshness.age = states.compactMap { $1.data?.timestamp }.min().map { max(0, clock.wallTime - $0) }
        for (resource, state) in states {
            guard let origin = origin(of: state, loaded: durations[resource] != nil) else { continue }
            freshness.origins[origin, default: 0] += 1
        }
        freshness.duration = durations.filter { $0.key.latestError == nil }.values.max()
        return freshness
    }

    private func origin(of state: Resource.Snapshot, loaded isLoaded: Bool) -> Freshness.Origin? {
        switch state.source {
        case nil: nil
        case .local: .local
        case _ where state.error != nil || state.isLoading && !isLoaded: nil
        case .network where isLoaded: .network
        case .revalidated where isLoaded: .notModified
        case .cache: .cache
        case .network, .revalidated: state.isStale ? nil : .memory
        }
    }
}
