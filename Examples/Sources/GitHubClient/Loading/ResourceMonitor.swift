import Foundation
package import Siesta

/// Observes the resources of one screen, and remembers what it was told.
///
/// All that is on view comes through here: events make the screen draw itself again, and the ``status`` is made of
/// them.
@MainActor
package final class ResourceMonitor: ResourceObserver {
    /// Called after every event, and after progress.
    package var onChange: () -> Void = {}
    /// Called with every event before ``onChange``.
    package var onEvent: (Resource, ResourceEvent) -> Void = { _, _ in }
    /// Called with the progress of loads.
    package var onProgress: (Resource, Double) -> Void = { _, _ in }

    /// What is observed now, in the order in which it was asked for.
    package private(set) var resources: [Resource] = []
    /// When the loads began that are running, and how long those took that have ended since.
    private var (starts, durations) = ([Resource: TimeInterval](), [Resource: TimeInterval]())
    private var tasks: [Resource: Task<Void, Never>] = [:]
    private let clock: SiestaClock

    /// Creates a monitor that observes nothing yet.
    package init(clock: SiestaClock = .current) {
        self.clock = clock
    }

    /// Observes these resources and no others, which loads those that are new here and stale.
    ///
    /// What is not wanted any more is cancelled, but for a moment's grace: the next screen may want the same.
    package func watch(_ wanted: [Resource]) {
        let added = wanted.filter { !resources.contains($0) }
        let removed = resources.filter { !wanted.contains($0) }
        resources = wanted
        for resource in removed {
            (starts[resource], durations[resource]) = (nil, nil)
            tasks.removeValue(forKey: resource)?.cancel()
            resource.removeObservers(ownedBy: self)
            resource.cancelLoadIfUnobserved(afterDelay: 0.1)
        }
        for resource in added {
            resource.addObserver(self)
            tasks[resource] = Task { [weak self] in
                for await state in resource.states { self?.show(state, of: resource) }
            }
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

    package func resourceRetryChanged(_ resource: Resource, retry: Resource.Retry?) {
        onChange()
    }

    private func show(_ state: Resource.Snapshot, of resource: Resource) {
        if let progress = state.progress { onProgress(resource, progress) }
        onChange()
    }
}

extension ResourceMonitor {
    /// How things stand now.
    package var status: LoadStatus {
        var status = LoadStatus()
        let states = resources.map { ($0, $0.snapshot) }
        status.isLoading = states.contains { $1.isLoading }
        status.loadingTime = starts.values.min().map { clock.monotonicTime - $0 } ?? 0
        status.progress = states.compactMap(\.1.progress).min() ?? 0
        let error = states.lazy.compactMap(\.1.error).first
        status.failure = error.map { LoadStatus.Failure($0, now: clock.wallTime) }
        let retry = states.compactMap(\.1.retry).min { ($0.date ?? .distantPast) < ($1.date ?? .distantPast) }
        status.wait = retry.map { LoadStatus.Wait($0, now: clock.wallTime) }
        status.age = states.compactMap { $1.data?.timestamp }.min().map { max(0, clock.wallTime - $0) }
        for (resource, state) in states {
            guard let answer = answer(in: state, loaded: durations[resource] != nil) else { continue }
            status.answers[answer, default: 0] += 1
        }
        status.duration = durations.filter { $0.key.latestError == nil }.values.max()
        return status
    }

    private func answer(in state: Resource.Snapshot, loaded isLoaded: Bool) -> LoadStatus.Answer? {
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
