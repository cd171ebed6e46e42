/// The numbering of a service's events, which continues when it has listeners again.
final class ActivityNumbering: ServiceExtension {
    fileprivate let hub: ActivityHub

    init(context: ResourceContext) {
        hub = ActivityHub(clock: context.clock) { [weak context] in
            MainQueue.async { context?.updateActivity() }
        }
    }
}

extension ResourceContext {
    /// Adds a listener to the events of this service.
    func listen(limit: Int) -> ActivityEvents {
        let events = feature(ActivityNumbering.self).hub.listen(limit: limit)
        updateActivity()
        return events
    }

    /// Returns the reason of the load that is about to begin, and forgets it, because code of the app may begin other loads
    /// in the meantime. Nil if a function of the app was called.
    @inline(__always)
    func takeLoadReason() -> ActivityEvent.LoadReason? {
        let reason = loadReason
        guard reason != .none else { return nil }
        loadReason = .none
        return reason
    }

    /// Runs `body`, which may begin a load for a reason of the library.
    package func because<Result>(_ reason: ActivityEvent.LoadReason, _ body: () -> Result) -> Result {
        loadReason = reason
        defer { loadReason = .none }
        return body()
    }

    /// Notes that these resources were dropped, also for listeners. They are released by the caller, after the change of
    /// the registry.
    func noteDropped(_ resources: [Resource]) {
        for resource in resources {
            if let lane = resource.cacheLane?.lane { unfinishedLanes.keep(lane, of: resource.address) }
        }
        guard let activity else { return }
        for resource in resources { activity.record(.evicted, of: resource.address) }
    }

    /// Makes the hub known while it has listeners.
    fileprivate func updateActivity() {
        let hub = known(ActivityNumbering.self)?.hub
        let isOn = hub?.hasListeners ?? false
        guard isOn != (activity != nil) else { return }
        activity = isOn ? hub : nil
        SiestaLog.Category.watchActivity(isOn)
    }
}

extension Resource {
    /// Notes the decision of a function that may load this resource, in the log and for listeners. Returns the number of
    /// the event; nil without listeners.
    @inline(never) @discardableResult
    func noteDecision(_ outcome: ActivityEvent.LoadOutcome, _ words: String) -> Int? {
        SiestaLog.log(.staleness, [self, words])
        return recordDecision(context.loadReason == .none ? .loadIfNeeded : context.loadReason, outcome)
    }

    @discardableResult
    func recordDecision(
        _ reason: ActivityEvent.LoadReason, _ outcome: ActivityEvent.LoadOutcome
    ) -> Int? {
        context.activity?.record(.loadDecision(reason, outcome), of: address)
    }

    /// Notes an event of this resource for listeners.
    @inline(__always)
    package func record(_ kind: @autoclosure () -> ActivityEvent.Kind) {
        if let activity = context.activity { activity.record(kind(), of: address) }
    }

    /// Notes the use of the caches of some stages for listeners.
    func recordUse(_ operation: ActivityEvent.CacheOperation, of places: [CacheLane.Place]) {
        guard context.activity != nil else { return }
        for place in places {
            record(.cache(operation, stage: pipelineNames.stage(place.stage), duration: nil))
        }
    }

    /// The names in the pipeline for loads.
    var pipelineNames: PipelineNames { resolvedConfiguration(for: .get).names }
}
