import Foundation
import HTTPRules
import Isolation
import SiestaCore

/// The way of an update from an event to the data of a resource.
extension LiveStream {
    /// The number of updates after which the main actor may do other work.
    private nonisolated static let batchSize = 500

    /// Carries out what events mean. Returns true if one of them asks for a new beginning.
    nonisolated func deliver(_ events: [ServerEvent], _ run: Int) async -> Bool {
        let ((groups, moveCount), made) = (directory.withLock { ($0.groups, $0.moveCount) }, WipeCount.now)
        guard !groups.isEmpty else { return false }
        var deliveries: [LiveDelivery] = []
        for (index, event) in events.enumerated() {
            for group in groups { add(event, made, group, to: &deliveries) }
            guard deliveries.count >= Self.batchSize || index == events.count - 1 else { continue }
            if await deliver(exchange(&deliveries, with: []), run) { return true }
        }
        if directory.withLock({ $0.moveCount }) != moveCount { await membersHaveMoved(run) }
        return false
    }

    /// Loads all resources, because a change of the configuration may have hidden an event from them.
    private func membersHaveMoved(_ run: Int) {
        guard run == self.run else { return }
        beginSeries(after: nil)
        showAll()
        loadWhatMayBeOld()
    }

    /// Asks the app what an event means for resources with the same source.
    private nonisolated func add(
        _ event: ServerEvent, _ made: WipeCount, _ group: LiveDirectory.Group, to deliveries: inout [LiveDelivery]
    ) {
        guard let route = group.source.route else {
            for member in all(of: group) { add(event, made, member, group, to: &deliveries) }
            return
        }
        guard let path = route(event), StreamSafety.allows(path) else { return }
        func members(_ address: String) -> [LiveDirectory.Member] {
            directory.withLock { $0.members(at: address, in: group) }
        }
        var found: [LiveDirectory.Member] = []
        if path.schemeSeparator != nil {
            found = members(path)
            if found.isEmpty, let url = URL(reference: path) { found = members(url.absoluteString) }
        } else if let base {
            found = members(base.appending(path))
            if found.isEmpty { found = members(base.appending(escaped: path)) }
        }
        for member in found { add(event, made, member, group, to: &deliveries) }
    }

    private nonisolated func add(
        _ event: ServerEvent, _ made: WipeCount, _ member: LiveDirectory.Member, _ group: LiveDirectory.Group,
        to deliveries: inout [LiveDelivery]
    ) {
        do {
            guard var update = try group.source.update(event, member.url) else { return }
            if group.source.isByTopic, case .replace = update.change, sharesTopic(member) {
                update = .invalidate
            }
            let delivery = LiveDelivery(member.resource, update, id: event.id, made: made)
            deliveries.append(delivery.prepared(by: group.processing))
        } catch {
            SiestaLog.log(.staleness, ["A resource is loaded, because an event cannot be read:", error])
            deliveries.append(LiveDelivery(member.resource, .invalidate, id: event.id, made: made))
        }
    }

    /// True if another resource may have the same topic, and other data: a resource with the same URL and another body, or
    /// one whose responses name the same topic, which is the URL of neither.
    private nonisolated func sharesTopic(_ member: LiveDirectory.Member) -> Bool {
        if LoadBody.isPart(of: member.resource.address) { return true }
        guard ExactText(member.url.absoluteString) != key.topic else { return false }
        return directory.withLock { $0.hasSeveralURLs }
    }

    private nonisolated func all(of group: LiveDirectory.Group) -> [LiveDirectory.Member] {
        directory.withLock { $0.members(of: group) }
    }

    /// Carries out an update of a sequence. Returns true if it asks for a new beginning.
    nonisolated func deliver(_ update: LiveUpdate, of resource: Resource, _ run: Int) async -> Bool {
        guard let group = directory.withLock({ $0.groups.first }) else { return false }
        let delivery = LiveDelivery(resource, update, id: "", made: WipeCount.now)
        return await deliver([delivery.prepared(by: group.processing)], run)
    }

    private nonisolated func deliver(_ deliveries: [LiveDelivery], _ run: Int) async -> Bool {
        guard !deliveries.isEmpty else { return false }
        var (bases, isReset) = await take(deliveries, run)
        while !bases.isEmpty { bases = await finish(Self.apply(bases)) }
        return isReset
    }

    /// Carries out updates that have waited.
    func continueDelivery(_ deliveries: [LiveDelivery]) {
        guard !deliveries.isEmpty else { return }
        let (bases, _) = take(deliveries, run)
        guard !bases.isEmpty else { return }
        Task {
            var bases = bases
            while !bases.isEmpty { bases = finish(await Self.apply(bases)) }
        }
    }

    @concurrent
    private nonisolated static func apply(_ bases: [LiveBase]) async -> [(LiveBase, LiveDelivery)] {
        bases.map { base in base.resource.clock.whileCurrent { (base, base.applied()) } }
    }

    private func take(_ deliveries: [LiveDelivery], _ run: Int) -> (bases: [LiveBase], isReset: Bool) {
        var (bases, isReset): ([LiveBase], Bool) = ([], false)
        /// The places of the bases by their numbers.
        var places: [Int: Int] = [:]
        context.clock.whileCurrent {
            for delivery in deliveries {
                guard run == self.run, let member = delivery.resource.known(LiveMember.self), member.stream === self
                else { continue }
                if case .reset = delivery.update.change {
                    isReset = true
                } else if delivery.resource.isOutdated(delivery.made) {
                    continue
                } else if let number = member.computation {
                    guard member.held.isEmpty, let place = places[number], bases[place].add(delivery) else {
                        hold(delivery, member)
                        continue
                    }
                } else if let base = take(delivery, member) {
                    places[base.number] = bases.count
                    bases.append(base)
                }
            }
            loadOutdated()
        }
        return (bases, isReset)
    }

    /// Carries out one update. Returns the base if it is a patch, which must be applied outside the main actor.
    private func take(_ delivery: LiveDelivery, _ member: LiveMember) -> LiveBase? {
        let resource = delivery.resource
        let state = resource.state
        if member.unnoted != nil { member.noteVersion(state, self) }
        let facts = Self.facts(state, member)
        member.position.noteDeletion(facts)
        switch member.position.decide(delivery.update, facts) {
        case .ignore: break
        case .hold: hold(delivery, member)
        // An earlier update that waits would make the data count as current again, without this change.
        case .load where !member.held.isEmpty: hold(delivery, member)
        case .load: outdate(resource, member)
        case .apply:
            // A replacement is newer than the updates that wait for a load.
            let dropped = delivery.update.isPatch ? [] : member.held.removeAll(before: delivery.update)
            defer { extendLifetime(dropped) }
            switch delivery.update.change {
            case .remove:
                (member.position.version, member.position.isRemoved) = (delivery.update.version, true)
                (member.position.isDeleted, member.needsLoad) = (false, false)
                resource.removeLiveData()
            case .merge, .patch:
                guard let data = state.data else { return nil }
                lastComputation += 1
                member.computation = lastComputation
                return LiveBase(
                    delivery, of: data, number: lastComputation, revision: state.dataRevision,
                    in: resource.resolvedConfiguration(for: .get))
            default:
                // While a load or a change is running, the same data counts as new: an older response must not replace it.
                if let body = delivery.body, member.updated?.body == body,
                    member.updated?.revision == state.contentRevision, isCaughtUp(resource), !facts.isLoading,
                    !state.isOptimistic
                {
                    member.position.version = delivery.update.version ?? member.position.version
                    return nil
                }
                set(delivery, member)
            }
        }
        return nil
    }

    /// Takes the results of patches, and the updates that have waited for them.
    private func finish(_ results: [(LiveBase, LiveDelivery)]) -> [LiveBase] {
        var bases: [LiveBase] = []
        context.clock.whileCurrent {
            for (base, delivery) in results {
                guard let member = base.resource.known(LiveMember.self), member.stream === self,
                    member.computation == base.number
                else { continue }
                member.computation = nil
                var next: [LiveDelivery] = []
                if base.resource.state.dataRevision == base.revision {
                    set(delivery, member)
                } else {
                    next = base.deliveries  // The data has changed meanwhile.
                }
                next += member.held.removeAll()
                bases += take(next, run).bases
            }
            loadOutdated()
        }
        return bases
    }

    /// Makes the result of an update the data.
    private func set(_ delivery: LiveDelivery, _ member: LiveMember) {
        let resource = delivery.resource
        guard case .success(var entity) = delivery.result else {
            if case .failure(let error) = delivery.result {
                SiestaLog.log(.staleness, [resource, "is loaded, because an update cannot be applied:", error])
            }
            return outdate(resource, member)
        }
        entity.keep(delivery.update.version, of: fingerprint, andFieldsOf: resource.state.data)
        // The response to a change, for example, has no caching info.
        if entity.cachingInfo == nil { entity = resource.withCachingInfo(entity) }
        let (run, version) = (self.run, member.version(of: entity, self))
        guard run == self.run, member.stream === self else { return }  // The function of the app has ended the stream.
        (member.position.version, member.position.isRemoved) = (version, false)
        resource.setLiveData(entity, unlessWipedSince: delivery.made, isCurrent: phase.isOpen) {
            member.updated = (key, $0, delivery.body)
            member.needsLoad = false
        }
        show(resource)
    }

    /// Notes that the result of a change has become the data, or that the data was deleted. This is no load: a resource that
    /// may have missed an event, or whose result is doubtful, is loaded.
    func changeSettled(_ resource: Resource, isDoubtful: Bool) {
        guard let member = resource.known(LiveMember.self), member.stream === self else { return }
        guard resource.state.hasData else {
            member.needsLoad = false
            return show(resource)
        }
        if resource.state.source != .local { extendLifetime(exchange(&member.unnoted, with: resource.state.data)) }
        if isDoubtful || member.liveSince == nil { becameStale(resource) } else { show(resource) }
    }

    /// Notes that the data may lack a change. The resource is loaded.
    func becameStale(_ resource: Resource) {
        guard let member = resource.known(LiveMember.self), member.stream === self else { return }
        let last = resource.state.lastLoad
        member.position.seriesLoad = last
        MainQueue.async { [weak self] in
            guard let self, phase.isOpen, member.stream === self else { return }
            context.clock.whileCurrent {
                // A load that has begun in the meantime is enough. Until it succeeds, the resource is not live.
                guard resource.state.lastLoad == last else { return show(resource) }
                outdate(resource, member)
                loadOutdated()
            }
        }
    }

    private func hold(_ delivery: LiveDelivery, _ member: LiveMember) {
        guard !member.held.append(delivery) else { return }
        let dropped = member.dropUpdates()
        outdate(delivery.resource, member)
        extendLifetime(dropped)
    }

    /// Notes that the data of a resource is about to be wiped.
    func wipe(_ resource: Resource) {
        guard let member = resource.known(LiveMember.self), member.stream === self else { return }
        member.wipe(resource)
        show(resource)
    }

    /// Notes that the data lacks a change. The resource is loaded by ``loadOutdated()`` if it is observed.
    private func outdate(_ resource: Resource, _ member: LiveMember) {
        member.position.seriesLoad = resource.state.lastLoad
        member.updated?.body = nil
        member.needsLoad = true
        resource.outdateLiveData()
        show(resource)
        if phase.isOpen { _ = outdated.set(resource, of: resource) }
    }
}
