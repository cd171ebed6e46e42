/// The observers of one resource, and how they are told what happens.
///
/// Adding and removing take constant time. Deliveries go to the observers that were there when the event happened, one
/// event after the other, also if observers cause new events or come and go meanwhile.
@MainActor
final class ObserverList {
    private enum Delivery {
        case event(ResourceEvent)
        case progress(Double)
        case invalidation
    }

    private var slots = ObserverSlots()
    private var firstLive = 0
    private var pending: [(delivery: Delivery, end: Int)] = []
    private var isDelivering = false
    /// How many loops over the slots are under way; meanwhile slots keep their numbers.
    private var loopCount = 0
    private var uncheckedFrom: Int?
    private var farewellCount = 0

    // MARK: Adding and removing

    /// Adds an observer that keeps itself, or lets it keep itself if it is there; tells whether it is new.
    func add(_ observer: any ResourceObserver & AnyObject) -> Bool {
        let object = ObjectIdentifier(observer)
        if !DefaultIdentity.isUsed(by: observer) {
            let identity = ObserverSlots.Identity(observer.observerIdentity)
            guard identity == .object(object) else {
                return add(observer, identity: identity, owner: observer, of: nil)
            }
        }
        if let known = slots.slot(of: object), slots.isAlive(known) {
            slots.add(observer, to: known)
            return false
        }
        compact()
        slots.append(observer)
        return true
    }

    /// Adds an observer that `owner` keeps, or the owner to one that is there; tells whether it is new.
    func add(_ observer: any ResourceObserver, owner: AnyObject, of resource: Resource) -> Bool {
        if let object = observer.asObject, object === owner { return add(object) }
        return add(observer, identity: observer.identity, owner: owner, of: resource)
    }

    private func add(
        _ observer: any ResourceObserver, identity: ObserverSlots.Identity, owner: AnyObject, of resource: Resource?
    ) -> Bool {
        let known = slots.slot(of: identity)
        if let known, slots.isAlive(known) {
            slots.add(owner, to: known)
            return false
        }
        let abandoned = known.flatMap { slots.take($0) }
        compact()
        slots.append(OwnedObserver(observer, identity: identity), owner: owner)
        if let resource {
            checkSoon(from: slots.count - 1, of: resource)
            abandoned?.stoppedObserving(resource: resource)
        }
        return true
    }

    /// Removes `owner`, and with it the observers that have no other.
    func remove(ownedBy owner: AnyObject, of resource: Resource) {
        let removed = slots.removeObject(owner)
        let alsoRemoved = slots.removeStandIns(ownedBy: owner)
        compact()
        removed?.stoppedObserving(resource: resource)
        for observer in alsoRemoved { observer.stoppedObserving(resource: resource) }
    }

    /// Removes all observers.
    func removeAll(of resource: Resource) {
        let removed = (0..<slots.count).compactMap { slots.take($0) }
        compact()
        for observer in removed { observer.stoppedObserving(resource: resource) }
    }

    /// Whether there is an observer that still has an owner.
    ///
    /// Runs no code of the app: those that are found to have none are told later.
    func hasLiveObserver(of resource: Resource) -> Bool {
        while firstLive < slots.count {
            if slots.isAlive(firstLive) { return true }
            if let abandoned = slots.take(firstLive), !(abandoned is ClosureObserver) {
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
                for slot in start..<max(start, self.slots.count) {
                    if let observer = self.slots[slot] as? OwnedObserver { _ = self.checked(observer, of: resource) }
                }
            }
        }
    }

    /// The observer that a stand-in stands for, if it still has an owner; if not, it is told and removed.
    func checked(_ observer: OwnedObserver, of resource: Resource) -> (any ResourceObserver)? {
        if observer.isKeptByOthers { return observer.observer }
        let isAlive = observer.isAlive
        let present = observer.observer
        let gone = slots.settle(observer)
        guard isAlive else {
            gone?.stoppedObserving(resource: resource)
            return nil
        }
        return present
    }

    // MARK: Delivering

    func deliver(_ event: ResourceEvent, of resource: Resource) {
        deliver(.event(event), of: resource)
    }

    func deliver(progress: Double, of resource: Resource) {
        deliver(.progress(progress), of: resource)
    }

    func deliverInvalidation(of resource: Resource) {
        deliver(.invalidation, of: resource)
    }

    private func deliver(_ delivery: Delivery, of resource: Resource) {
        guard !isDelivering else { return pending.append((delivery, slots.count)) }
        isDelivering = true
        loop {
            deliver(delivery, upTo: slots.count, of: resource)
            var next = 0
            while next < pending.count {
                deliver(pending[next].delivery, upTo: pending[next].end, of: resource)
                next += 1
            }
            pending.removeAll()
        }
        isDelivering = false
    }

    private func deliver(_ delivery: Delivery, upTo end: Int, of resource: Resource) {
        var emptyCount = 0
        for slot in 0..<end {
            guard let observer = slots[slot] else {
                emptyCount += 1
                continue
            }
            switch delivery {
            case .event(let event): observer.resourceChanged(resource, event: event)
            case .progress(let progress): observer.resourceRequestProgress(for: resource, progress: progress)
            case .invalidation: (observer as? any InvalidationObserver)?.resourceInvalidated()
            }
        }
        slots.note(emptyCount: emptyCount)
    }

    /// Runs something that goes through the slots and calls observers, who may come and go meanwhile; then closes the
    /// gaps.
    private func loop(_ body: () -> Void) {
        loopCount += 1
        body()
        loopCount -= 1
        compact()
    }

    private func compact() {
        guard loopCount == 0 else { return }
        let isRenumbered = slots.compact()
        firstLive = isRenumbered ? 0 : min(firstLive, slots.count)
        uncheckedFrom = uncheckedFrom.map { isRenumbered ? 0 : min($0, slots.count) }
    }
}

/// An observer of the library's own, who also wants to know of invalidations, which are no events.
@MainActor
protocol InvalidationObserver: ResourceObserver, AnyObject {
    func resourceInvalidated()
}

extension ResourceObserver {
    /// What makes it the same as another one.
    fileprivate var identity: ObserverSlots.Identity {
        Self.self == ClosureObserver.self ? .none : ObserverSlots.Identity(observerIdentity)
    }
}

extension ObserverSlots.Identity {
    fileprivate init(_ identity: AnyHashable) {
        self = (identity.base as? ObjectIdentifier).map { .object($0) } ?? .custom(identity)
    }
}
