import Foundation
import Isolation
import SiestaCore

/// The way of an update from an event to the data of a resource.
extension LiveStream {
    /// Asks the app what events mean.
    @concurrent
    nonisolated func deliveries(_ events: [ServerEvent]) async -> [LiveDelivery] {
        var deliveries: [LiveDelivery] = []
        for event in events {
            guard let route = source.route else {
                for entry in all { add(event, entry, to: &deliveries) }
                continue
            }
            guard let path = route(event) else { continue }
            let address = path.contains("://") ? path : root + (path.hasPrefix("/") ? path.dropFirst() : path[...])
            if let entry = directory.withLock({ $0.byAddress[address] }) { add(event, entry, to: &deliveries) }
        }
        return deliveries
    }

    private nonisolated func add(
        _ event: ServerEvent, _ entry: Entry, to deliveries: inout [LiveDelivery]
    ) {
        let resource = entry.resource
        do {
            guard let update = try source.update(event, entry.url) else { return }
            deliveries.append(LiveDelivery(resource, update, id: event.id).prepared(by: entry.processing))
        } catch {
            SiestaLog.log(.staleness, ["A resource is loaded, because an event cannot be read:", error])
            deliveries.append(LiveDelivery(resource, .invalidate, id: event.id))
        }
    }

    /// Prepares the updates of a sequence.
    @concurrent
    nonisolated func deliveries(_ updates: [LiveUpdate], of resource: Resource) async -> [LiveDelivery] {
        guard let entry = directory.withLock({ $0.byAddress[resource.address] }) else { return [] }
        return updates.map { LiveDelivery(resource, $0, id: "").prepared(by: entry.processing) }
    }

    private nonisolated var all: [Entry] {
        directory.withLock { directory in
            let all = directory.all ?? Array(directory.byAddress.values)
            directory.all = all
            return all
        }
    }

    /// Carries out updates, in their order. Returns true if one of them asks for a new beginning.
    nonisolated func deliver(_ deliveries: [LiveDelivery], _ run: Int) async -> Bool {
        guard !deliveries.isEmpty else { return false }
        var (bases, isReset) = await take(deliveries, run)
        while !bases.isEmpty {
            let results = await Self.apply(bases)
            bases = await finish(results, run)
        }
        return isReset
    }

    /// Carries out updates that have waited.
    func continueDelivery(_ deliveries: [LiveDelivery]) {
        guard !deliveries.isEmpty else { return }
        let (bases, _) = take(deliveries, run)
        guard !bases.isEmpty else { return }
        Task { [run] in
            var bases = bases
            while !bases.isEmpty { bases = finish(await Self.apply(bases), run) }
        }
    }

    @concurrent
    private nonisolated static func apply(_ bases: [LiveBase]) async -> [(LiveBase, LiveDelivery)] {
        bases.map { base in
            var delivery = base.delivery
            delivery.result = base.applied()
            return (base, delivery)
        }
    }

    private func take(_ deliveries: [LiveDelivery], _ run: Int) -> (bases: [LiveBase], isReset: Bool) {
        var (bases, isReset): ([LiveBase], Bool) = ([], false)
        context.clock.whileCurrent {
            for delivery in deliveries {
                guard run == self.run, let member = delivery.resource.known(LiveMember.self), member.stream === self
                else { continue }
                if case .reset = delivery.update.change {
                    isReset = true
                    continue
                }
                guard !member.isComputing else {
                    hold(delivery, member)
                    continue
                }
                if let base = take(delivery, member) { bases.append(base) }
            }
        }
        return (bases, isReset)
    }

    /// Carries out one update. Returns the base if it is a patch, which must be applied outside the main actor.
    private func take(_ delivery: LiveDelivery, _ member: LiveMember) -> LiveBase? {
        let resource = delivery.resource
        let state = resource.state
        switch member.position.decide(delivery.update, Self.facts(state, member)) {
        case .ignore: break
        case .hold: hold(delivery, member)
        case .load: outdate(resource, member)
        case .apply:
            switch delivery.update.change {
            case .remove:
                member.position.version = delivery.update.version
                resource.removeLiveData()
                show(resource)
            case .merge, .patch:
                guard let data = state.data else { return nil }
                member.isComputing = true
                let resolved = resource.resolvedConfiguration(for: .get)
                return LiveBase(
                    delivery: delivery, entity: UncheckedSendable(data), revision: state.dataRevision,
                    encoder: resolved.configuration.encoding, processing: resolved.processing)
            default:
                if case .replace(let bytes, _) = delivery.update.change, member.updated?.bytes == bytes,
                    member.updated?.revision == state.contentRevision, isCaughtUp(resource)
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
    private func finish(_ results: [(LiveBase, LiveDelivery)], _ run: Int) -> [LiveBase] {
        var bases: [LiveBase] = []
        context.clock.whileCurrent {
            for (base, delivery) in results {
                guard run == self.run, let member = delivery.resource.known(LiveMember.self), member.stream === self
                else { continue }
                member.isComputing = false
                var next: [LiveDelivery] = []
                if delivery.resource.state.dataRevision == base.revision {
                    set(delivery, member)
                } else {
                    next = [base.delivery]  // The data has changed meanwhile.
                }
                next += exchange(&member.held, with: [])
                bases += take(next, run).bases
            }
        }
        return bases
    }

    /// Makes the result of an update the data.
    private func set(_ delivery: LiveDelivery, _ member: LiveMember) {
        let resource = delivery.resource
        guard case .success(let entity) = delivery.result else {
            if case .failure(let error) = delivery.result {
                SiestaLog.log(.staleness, [resource, "is loaded, because an update cannot be applied:", error])
            }
            return outdate(resource, member)
        }
        member.position.version = delivery.update.version ?? source.version(entity)
        resource.setLiveData(entity, isCurrent: phase.isOpen)
        var bytes: Data?
        if case .replace(let replacement, _) = delivery.update.change { bytes = replacement }
        member.updated = (key, resource.state.contentRevision, bytes)
        show(resource)
    }

    private func hold(_ delivery: LiveDelivery, _ member: LiveMember) {
        guard member.held.count < LiveMember.heldLimit else {
            member.held = []
            return outdate(delivery.resource, member)
        }
        member.held.append(delivery)
    }

    /// Notes that the data of a resource is about to be wiped.
    func wipe(_ resource: Resource) {
        guard let member = resource.known(LiveMember.self), member.stream === self else { return }
        member.reset()
        member.position.seriesLoad = resource.state.lastLoad
        show(resource)
    }

    /// Notes that the data lacks a change, and loads the resource if it is observed.
    func outdate(_ resource: Resource, _ member: LiveMember) {
        member.position.seriesLoad = resource.state.lastLoad
        member.updated?.bytes = nil
        resource.outdateLiveData()
        show(resource)
        if phase.isOpen { scheduleLoad(resource) }
    }
}
