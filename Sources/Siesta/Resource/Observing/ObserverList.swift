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
    /// How many loops over the slots are under way; meanwhile slots keep their numbers.
    private var loopCount = 0
    private var uncheckedFrom: Int?
    private var farewellCount = 0

    // MARK: Adding and removing

    /// Adds an observer, or an owner to one that is there; tells whether it is new.
    func add(_ observer: any ResourceObserver, owner: AnyObject, of resource: Resource) -> Bool {
        let identity = observer is ClosureObserver ? nil : observer.observerIdentity
        let known = identity.flatMap { slotOfObserver[$0] }
        if let known, slots[known]?.isAlive ?? false {
            addOwner(owner, to: known)
            return false
        }
        let abandoned = known.flatMap(take)?.observer
        slots.append(Self.observation(by: observer, identity: identity))
        if let identity { slotOfObserver[identity] = slots.count - 1 }
        addOwner(owner, to: slots.count - 1)
        checkSoon(from: slots.count - 1, of: resource)
        abandoned?.stoppedObserving(resource: resource)
        return true
    }

    /// Removes `owner`, and with it the observers that have no other.
    func remove(ownedBy owner: AnyObject, of resource: Resource) {
        var removed: [Observation] = []
        for slot in slotsOfOwner.removeValue(forKey: ObjectIdentifier(owner)) ?? [] {
            slots[slot]?.removeOwner(owner)
            if !(slots[slot]?.isAlive ?? true), let observation = take(slot) { removed.append(observation) }
        }
        compact()
        for observation in removed { observation.observer?.stoppedObserving(resource: resource) }
    }

    /// Whether there is an observer that still has an owner.
    ///
    /// Runs no code of the app: those that are found to have none are told later.
    func hasLiveObserver(of resource: Resource) -> Bool {
        while firstLive < slots.count {
            if slots[firstLive]?.isAlive ?? false { return true }
            if let abandoned = take(firstLive)?.observer, !(abandoned is ClosureObserver) {
                farewellCount += 1
                MainQueue.async {
                    self.farewellCount -= 1
                    abandoned.stoppedObserving(resource: resource)
                }
            }
            firstLive += 1
        }
        return false
    }

    /// Whether there are observers that still have to be told that they have no owner.
    var owesFarewells: Bool { farewellCount > 0 }

    /// Notices at the next turn of the main queue if the owner of a new observer has gone at once.
    private func checkSoon(from slot: Int, of resource: Resource) {
        guard uncheckedFrom == nil else { return }
        uncheckedFrom = slot
        MainQueue.async { [weak resource] in
            guard let resource, let start = self.uncheckedFrom else { return }
            self.uncheckedFrom = nil
            self.loop {
                for slot in self.slots.indices.dropFirst(start) { _ = self.checked(slot, of: resource) }
            }
        }
    }

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
        loop {
            var next = 0
            while next < pending.count {
                let (delivery, end) = pending[next]
                next += 1
                for slot in 0..<end { deliver(delivery, to: slot, of: resource) }
            }
        }
        pending.removeAll(keepingCapacity: true)
        isDelivering = false
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
        take(slot)?.observer?.stoppedObserving(resource: resource)
    }

    /// Empties a slot, and returns what was in it.
    private func take(_ slot: Int) -> Observation? {
        guard let observation = slots[slot] else { return nil }
        slots[slot] = nil
        goneCount += 1
        if let identity = observation.identity, slotOfObserver[identity] == slot { slotOfObserver[identity] = nil }
        return observation
    }

    private func addOwner(_ owner: AnyObject, to slot: Int) {
        guard slots[slot]?.addOwner(owner) ?? false else { return }
        slotsOfOwner[ObjectIdentifier(owner), default: []].append(slot)
    }

    /// Runs something that goes through the slots and calls observers, who may come and go meanwhile; then closes the gaps.
    private func loop(_ body: () -> Void) {
        loopCount += 1
        body()
        loopCount -= 1
        compact()
    }

    /// Closes the gaps once they are the larger part, so that each removal costs a constant in the long run.
    private func compact() {
        guard loopCount == 0, goneCount > 16, goneCount > slots.count / 2 else { return }
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
