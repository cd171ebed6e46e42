/// The observers of one resource, in the order in which they were added.
///
/// Adding and removing take constant time. Deliveries go to the observers that were there when the event happened, one event after
/// the other, also if observers cause new events or come and go meanwhile.
@MainActor
final class ObserverList {
    private enum Delivery {
        case event(ResourceEvent)
        case progress(Double)
    }

    /// Slots in the order of adding; nil where an observer has gone.
    private var slots: [Observation?] = []
    private var slotOfObserver: [AnyHashable: Int] = [:]
    private var slotsOfOwner: [ObjectIdentifier: [Int]] = [:]
    private var goneCount = 0
    private var firstLive = 0
    private var pending: [(delivery: Delivery, end: Int)] = []
    private var isDelivering = false
    private var uncheckedFrom: Int?

    // MARK: Adding and removing

    /// Adds an observer, or an owner to one that is there; tells whether it is new.
    func add(_ observer: any ResourceObserver, owner: AnyObject, of resource: Resource) -> Bool {
        let identity = observer is ClosureObserver ? nil : observer.observerIdentity
        if let identity, let slot = slotOfObserver[identity] {
            if slots[slot]?.isAlive ?? false {
                addOwner(owner, to: slot)
                return false
            }
            retire(slot, of: resource)
        }
        slots.append(Self.observation(by: observer, identity: identity))
        if let identity { slotOfObserver[identity] = slots.count - 1 }
        addOwner(owner, to: slots.count - 1)
        return true
    }

    /// Removes `owner`, and with it the observers that have no other.
    func remove(ownedBy owner: AnyObject, of resource: Resource) {
        for slot in slotsOfOwner.removeValue(forKey: ObjectIdentifier(owner)) ?? [] {
            slots[slot]?.removeOwner(owner)
            if slots[slot].map({ !$0.isAlive }) ?? false { retire(slot, of: resource) }
        }
        compact()
    }

    /// Whether there is an observer that still has an owner.
    func hasLiveObserver(of resource: Resource) -> Bool {
        while firstLive < slots.count {
            if slots[firstLive]?.isAlive ?? false { return true }
            retire(firstLive, of: resource)
            firstLive += 1
        }
        return false
    }

    /// Notices owners that have gone among those observers that were added since this was last asked.
    func checkNewObservers(of resource: Resource) {
        guard let start = uncheckedFrom else { return }
        uncheckedFrom = nil
        for slot in slots.indices.dropFirst(start) { _ = checked(slot, of: resource) }
        compact()
    }

    /// Whether observers were added whose owners may go unnoticed; asking makes it false until the next one is.
    func needsCheck(afterAddingAt slot: Int) -> Bool {
        defer { uncheckedFrom = uncheckedFrom ?? slot }
        return uncheckedFrom == nil
    }

    var count: Int { slots.count }

    // MARK: Delivering

    func deliver(_ event: ResourceEvent, of resource: Resource) {
        deliver(.event(event), of: resource)
    }

    func deliver(progress: Double, of resource: Resource) {
        deliver(.progress(progress), of: resource)
    }

    private func deliver(_ delivery: Delivery, of resource: Resource) {
        pending.append((delivery, slots.count))
        guard !isDelivering else { return }
        isDelivering = true
        var next = 0
        while next < pending.count {
            let (delivery, end) = pending[next]
            next += 1
            for slot in 0..<end { deliver(delivery, to: slot, of: resource) }
        }
        pending.removeAll(keepingCapacity: true)
        isDelivering = false
        compact()
    }

    private func deliver(_ delivery: Delivery, to slot: Int, of resource: Resource) {
        guard let observer = checked(slot, of: resource) else { return }
        switch delivery {
        case .event(let event): observer.resourceChanged(resource, event: event)
        case .progress(let progress): observer.resourceRequestProgress(for: resource, progress: progress)
        }
    }

    // MARK: Slots

    /// The observer in a slot, if it still has an owner; if not, it is told and removed.
    private func checked(_ slot: Int, of resource: Resource) -> (any ResourceObserver)? {
        guard let observation = slots[slot] else { return nil }
        guard observation.isAlive else {
            retire(slot, of: resource)
            return nil
        }
        slots[slot]?.releaseIfAbandoned()
        return observation.observer
    }

    private func retire(_ slot: Int, of resource: Resource) {
        guard let observation = slots[slot] else { return }
        slots[slot] = nil
        goneCount += 1
        if let identity = observation.identity, slotOfObserver[identity] == slot { slotOfObserver[identity] = nil }
        observation.observer?.stoppedObserving(resource: resource)
    }

    private func addOwner(_ owner: AnyObject, to slot: Int) {
        slots[slot]?.addOwner(owner)
        slotsOfOwner[ObjectIdentifier(owner), default: []].append(slot)
    }

    /// Closes the gaps once they are the larger part, so that each removal costs a constant in the long run.
    private func compact() {
        guard !isDelivering, goneCount > 16, goneCount > slots.count / 2 else { return }
        var newSlot: [Int: Int] = [:]
        for slot in slots.indices where slots[slot] != nil { newSlot[slot] = newSlot.count }
        slots.removeAll { $0 == nil }
        slotOfObserver = slotOfObserver.compactMapValues { newSlot[$0] }
        slotsOfOwner = slotsOfOwner.compactMapValues { slots in
            let kept = slots.compactMap { newSlot[$0] }
            return kept.isEmpty ? nil : kept
        }
        uncheckedFrom = uncheckedFrom.map { _ in 0 }
        (goneCount, firstLive) = (0, 0)
    }

    private static func observation(by observer: any ResourceObserver, identity: AnyHashable?) -> Observation {
        guard type(of: observer as Any) is AnyClass, let object = observer as? any ResourceObserver & AnyObject else {
            return Observation(value: observer, identity: identity)
        }
        return Observation(object: object, identity: identity)
    }
}
