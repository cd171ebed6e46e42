import Foundation
import Siesta

/// Observes the resources of one screen, and remembers what it was told.
///
/// All that is on view comes through here: events make the screen draw itself again, and the ``status`` is made of them.
@MainActor
final class ResourceMonitor: ResourceObserver {
    fileprivate struct Record {
        var startTime: TimeInterval?
        var answer: LoadStatus.Answer?
        var duration: TimeInterval?
    }

    /// Called after every event, and after progress.
    var onChange: () -> Void = {}
    /// Called with every event before ``onChange``.
    var onEvent: (Resource, ResourceEvent) -> Void = { _, _ in }
    /// Called with the progress of loads.
    var onProgress: (Resource, Double) -> Void = { _, _ in }

    /// What is observed now, in the order in which it was asked for.
    private(set) var resources: [Resource] = []
    private var records: [Resource: Record] = [:]
    private var tasks: [Resource: Task<Void, Never>] = [:]
    private let clock: SiestaClock

    /// Creates a monitor that observes nothing yet.
    init(clock: SiestaClock = .current) {
        self.clock = clock
    }

    /// Observes these resources and no others, and has those loaded that are new here.
    ///
    /// What is not wanted any more is cancelled, but for a moment's grace: the next screen may want the same.
    func watch(_ wanted: [Resource]) {
        let added = wanted.filter { !resources.contains($0) }
        let removed = resources.filter { !wanted.contains($0) }
        resources = wanted
        for resource in removed {
            records[resource] = nil
            tasks.removeValue(forKey: resource)?.cancel()
            resource.removeObservers(ownedBy: self)
            resource.cancelLoadIfUnobserved(afterDelay: 0.1)
        }
        for resource in added {
            resource.addObserver(self)
            tasks[resource] = Task { [weak self] in
                for await state in resource.states { self?.show(state, of: resource) }
            }
            resource.loadIfNeeded()
        }
    }

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        note(event, of: resource)
        onEvent(resource, event)
        onChange()
    }

    private func show(_ state: Resource.Snapshot, of resource: Resource) {
        if let progress = state.progress { onProgress(resource, progress) }
        onChange()
    }

    private func note(_ event: ResourceEvent, of resource: Resource) {
        var record = records[resource] ?? Record()
        switch event {
        case .observerAdded:
            record.answer = resource.isUpToDate && resource.latestData != nil ? .memory : nil
            if resource.isLoading { record.startTime = clock.monotonicTime }
        case .requested: record.startTime = clock.monotonicTime
        case .newData(.network): record.finish(.network, at: clock.monotonicTime)
        case .notModified: record.finish(.notModified, at: clock.monotonicTime)
        case .newData(.cache): record.answer = .memory
        case .newData(.localOverride): record.answer = .local
        case .newData(.wipe), .requestCancelled, .error: record.finish(nil, at: clock.monotonicTime)
        }
        records[resource] = record
    }
}

extension ResourceMonitor.Record {
    fileprivate mutating func finish(_ answer: LoadStatus.Answer?, at time: TimeInterval) {
        duration = startTime.map { time - $0 }
        (self.answer, startTime) = (answer, nil)
    }
}

extension ResourceMonitor {
    /// How things stand now.
    var status: LoadStatus {
        var status = LoadStatus()
        let loading = resources.filter(\.isLoading)
        status.isLoading = !loading.isEmpty
        let starts = loading.compactMap { records[$0]?.startTime }
        status.loadingTime = starts.min().map { clock.monotonicTime - $0 } ?? 0
        status.progress = loading.compactMap(\.snapshot.progress).min() ?? 0
        let error = resources.lazy.compactMap(\.latestError).first
        status.failure = error.map { LoadStatus.Failure(message: $0.userMessage, statusCode: $0.httpStatusCode) }
        status.age = resources.compactMap { $0.latestData?.timestamp }.min().map { max(0, clock.wallTime - $0) }
        for resource in resources {
            guard let record = records[resource], let answer = record.answer else { continue }
            status.answers[answer, default: 0] += 1
            if answer == .network || answer == .notModified {
                status.duration = max(status.duration ?? 0, record.duration ?? 0)
            }
        }
        return status
    }
}
