import Foundation
import HTTPRules
import SiestaCore

/// The loads of live resources: of those that may have missed something, and of all while there is no connection.
extension LiveStream {
    // MARK: Series

    /// Returns the identifier of the last event that the data of a resource contains; nil if it is not known.
    func cursor(of resource: Resource) -> String? {
        guard let data = resource.state.data,
            resource.known(LiveMember.self)?.placelessRevision != resource.state.contentRevision
        else { return nil }
        if let stream = data.pushedBy, stream != fingerprint { return nil }
        if let id = data.headerFields["last-event-id"] { return id.isEmpty ? nil : id }
        return data.headerFields["link"].flatMap { MercureLinks($0, of: resource).lastID(of: key) }
    }

    /// Begins a series of events without a gap. Data from before may lack changes, unless its last event is that of the cursor.
    func beginSeries(after cursor: String?) {
        for resource in members.values {
            if let member = resource.known(LiveMember.self) { begin(member, of: resource, after: cursor) }
        }
    }

    /// Loads the observed resources whose data is from before the series. A connection that is lost again and again causes such
    /// a round of loads only after 5, 10, 20 and then each 30 seconds.
    func loadWhatMayBeOld() {
        guard phase.isOpen, !isRoundScheduled else { return }  // Otherwise the next connection does it.
        let old = members.values.filter { $0.isObserved && mayBeOld($0) }
        guard !old.isEmpty else { return }
        let now = context.clock.monotonicTime
        let pause = roundTime + roundPause - now
        guard pause > 0 else {
            roundPause = now - roundTime > ReconnectRules.steadyTime ? 5 : min(2 * roundPause, 30)
            roundTime = now
            return spread(old)
        }
        isRoundScheduled = true
        context.clock.schedule(after: pause) { [weak self] in
            self?.isRoundScheduled = false
            self?.loadWhatMayBeOld()
        }
    }

    func begin(_ member: LiveMember, of resource: Resource, after cursor: String?) {
        let state = resource.state
        member.position.noteDeletion(Self.facts(state, member))
        let hasCursor = cursor.map { self.cursor(of: resource).map(ExactText.init) == ExactText($0) }
        member.position.seriesLoad = hasCursor ?? false ? state.shownLoad - 1 : state.lastLoad
        let dropped = member.dropUpdates()
        member.noteVersion(state, self)
        extendLifetime(dropped)
    }

    /// Loads resources: a few at once, many over a longer time.
    private func spread(_ resources: [Resource]) {
        guard resources.count > 8 else { return resources.forEach(scheduleLoad) }
        let (count, time) = (50, min(5, Double(resources.count) * 0.02))
        var groups: [Int: [Resource]] = [:]
        for resource in resources {
            guard let member = resource.known(LiveMember.self), member.stream === self, !member.isLoadScheduled else {
                continue
            }
            member.isLoadScheduled = true
            groups[Int(context.clock.fraction * Double(count)), default: []].append(resource)
        }
        for (group, resources) in groups {
            context.clock.schedule(after: time * Double(group) / Double(count)) {
                for resource in resources { Self.loadAsScheduled(resource) }
            }
        }
    }

    /// Loads the resources that updates have made stale. An event may concern all resources.
    func loadOutdated() {
        if !outdated.isEmpty { spread(outdated.removeAll()) }
    }

    func isCaughtUp(_ resource: Resource) -> Bool {
        guard phase.isOpen, let member = resource.known(LiveMember.self) else { return false }
        return member.position.isCaughtUp(Self.facts(resource.state, member))
    }

    static func facts(_ state: Resource.State, _ member: LiveMember) -> LivePosition.Facts {
        LivePosition.Facts(
            hasData: state.hasData, shownLoad: state.shownLoad,
            isLoading: state.isLoading && state.lastLoad > state.shownLoad, isLocal: state.source == .local)
    }

    // MARK: Loads

    /// True if the data may lack a change, or if an update has asked for a load that has not succeeded yet.
    private func mayBeOld(_ resource: Resource) -> Bool {
        let needsLoad = resource.known(LiveMember.self)?.needsLoad ?? false
        return (resource.state.hasData || needsLoad) && !isCaughtUp(resource)
    }

    /// Loads a resource if its data may lack a change.
    func loadIfOld(_ resource: Resource) {
        if phase.isOpen, mayBeOld(resource) { scheduleLoad(resource) }
    }

    /// Loads a resource that has missed something, at most once in a second, and less often while no load ends.
    func scheduleLoad(_ resource: Resource) {
        guard let member = resource.known(LiveMember.self), member.stream === self, !member.isLoadScheduled else {
            return
        }
        let state = resource.state
        // The end of a load that has begun since then tells whether another one is needed.
        guard !state.isLoading || state.lastLoad <= member.position.seriesLoad else { return }
        let now = context.clock.monotonicTime
        let pause = max(member.loadTime + TimeInterval(1 << min(member.unendedLoads, 5)), member.moveEnd) - now
        guard pause > 0 else { return loadNow(resource, member) }
        member.isLoadScheduled = true
        context.clock.schedule(after: pause) { [weak resource] in
            if let resource { Self.loadAsScheduled(resource) }
        }
    }

    /// Loads a resource at the time of its timer, also if it belongs to another stream by now.
    private static func loadAsScheduled(_ resource: Resource) {
        guard let member = resource.known(LiveMember.self) else { return }
        member.isLoadScheduled = false
        member.stream?.scheduleLoad(resource)
    }

    private func loadNow(_ resource: Resource, _ member: LiveMember) {
        // Since the load was planned, the data may have been removed or wiped.
        guard mayBeOld(resource), resource.isObserved else { return }
        member.loadTime = context.clock.monotonicTime
        member.unendedLoads += 1
        context.because(.trigger) { _ = resource.load() }
    }

    /// Reacts to the end of a load, whoever has started it.
    func loadEnded(_ resource: Resource, _ event: ResourceEvent) {
        guard let member = resource.known(LiveMember.self), member.stream === self else { return }
        let state = resource.state
        // A timer may be set to a longer delay, for loads that do not end.
        if exchange(&member.unendedLoads, with: 0) > 1 { member.isLoadScheduled = false }
        switch event {
        case .newData, .notModified:
            if state.source != .local { member.noteVersion(state, self) }
            member.needsLoad = false
            member.endFailures(at: context.clock.monotonicTime)
            if state.source == .network || state.source == .revalidated { retryAfterSuccess() }
            let rest = member.position.rest(of: member.held.removeAll())
            show(resource)
            continueDelivery(rest)
            if member.computation == nil { loadIfOld(resource) }
        case .error, .requestCancelled:
            // A resource that the server does not have is not loaded before the next event.
            let isMissing = event == .error && [404, 410].contains(state.error?.httpStatusCode)
            // The response to a load that began before the last update says nothing about this update.
            if isMissing, state.lastLoad > member.position.seriesLoad { member.needsLoad = false }
            let held = member.held.removeAll()
            if phase.isOpen, !isMissing, !isCaughtUp(resource) {
                let now = context.clock.monotonicTime
                let delay = member.failures.delay(
                    at: now, retryAfter: state.error?.retryAfter, fraction: context.clock.fraction)
                member.loadTime = now + delay - 1
                loadIfOld(resource)
            }
            continueDelivery(held)
        default: break
        }
    }

    /// Notes that a cache, or the app in its place, has brought the data. The data of a cache, and that of the app if the
    /// resource was not live, may be older than the series of events.
    func cachedDataArrived(_ resource: Resource, isPushed: Bool) {
        guard let member = resource.known(LiveMember.self), member.stream === self else { return }
        let state = resource.state
        member.noteVersion(state, self)
        if member.liveSince == nil || !isPushed {
            member.position.seriesLoad = max(member.position.seriesLoad, state.shownLoad)
        }
        show(resource)
        loadIfOld(resource)
    }

    // MARK: Polling

    /// Loads the observed resources from time to time while there is no connection.
    func poll() {
        guard let interval = source.pollingInterval, interval.isFinite, !isPolling else { return }
        isPolling = true
        context.clock.schedule(after: max(interval, 0.1)) { [weak self] in
            guard let self else { return }
            isPolling = false
            guard !phase.isOpen, !members.isEmpty else { return }
            if context.device.permitReloads {
                for resource in members.values where resource.isObserved && !resource.state.isLoading {
                    context.because(.poll) { _ = resource.load() }
                }
            }
            poll()
        }
    }
}
