/// The observers of one resource, and the delivery of events to them.
///
/// Adding and removing take constant time. Events are delivered one after the other, to the observers that existed when
/// the event happened. During a delivery, observers may cause new events, and may be added and removed. If an observer
/// has lost its owners, its observation ends before the same observer can be added again.
@MainActor
package final class ObserverList {
    /// An observer that has lost its owners, and the resource that it observed. The resource must exist until the observer
    /// has been told.
    private struct Farewell {
        let observer: any ResourceObserver
        let resource: Resource
    }

    private struct Passive {
        weak var observer: (any ResourceObserver & AnyObject)?
    }

    /// An observer that is an object, and its name for the activity of the service.
    private struct Named {
        weak var observer: (any ResourceObserver & AnyObject)?
        let name: String
    }

    private enum Delivery {
        case event(ResourceEvent)
        case progress(Double)
        case retry(Resource.Retry?)
        /// A change without an event, for observers inside the library.
        case silentChange
    }

    // No access to these properties runs code of the app, so that accesses never overlap. They are used for each event;
    // therefore the exclusivity of an access is not checked.
    @exclusivity(unchecked) private var slots = ObserverSlots()
    @exclusivity(unchecked) private var pending: [(delivery: Delivery, end: Int)] = []
    @exclusivity(unchecked) private var isDelivering = false
    /// The number of active loops over the slots. Slots keep their numbers while it is greater than 0.
    @exclusivity(unchecked) private var loopCount = 0
    private var firstLive = 0
    private var uncheckedFrom: Int?
    /// Observers that have lost their owners, but have not yet been told that their observation has ended.
    private var farewells: [Farewell] = []
    /// Empty in most cases.
    @exclusivity(unchecked) private var passive: [Passive] = []

    /// The observers whose addition is in the activity of the service. Empty without listeners.
    private var named: [ObjectIdentifier: Named] = [:]
    /// True if the service looks for owners that were released.
    private var isWatched = false

    /// The names of the living observers, in the order in which they were added.
    package var names: [String] {
        (0..<slots.count).compactMap { slots[$0] }.compactMap { observer in
            guard let standIn = observer as? OwnedObserver else {
                return LoggedObserver(observer: observer).description
            }
            guard standIn.isAlive, let observer = standIn.observer else { return nil }
            return LoggedObserver(observer: observer).description
        }
    }

    /// The number of observers, including those that have lost their owners.
    var count: Int { slots.count }

    // MARK: Adding and removing

    /// Adds an observer that owns itself. If the list already contains the observer, adds the observer to its own
    /// owners. Returns true if the observer is new.
    func add(_ observer: any ResourceObserver & AnyObject, of resource: Resource) -> Bool {
        sayFarewells()
        let object = ObjectIdentifier(observer)
        if !DefaultIdentity.isUsed(by: observer) {
            let identity = ObserverSlots.Identity(observer.observerIdentity)
            guard identity == .object(object) else {
                return add(observer, identity: identity, owner: observer, of: resource)
            }
        }
        let known = slots.slot(of: object)
        if let known, slots.isAlive(known) {
            slots.add(observer, to: known)
            return false
        }
        let abandoned = known.flatMap { slots.take($0) }
        compact()
        slots.append(observer)
        guard let abandoned else { return true }
        resource.endObservation(by: abandoned)
        return slots.slot(of: object) != nil
    }

    /// Adds an observer that `owner` owns. If the list already contains the observer, adds `owner` to its owners.
    /// Returns true if the observer is new.
    func add(_ observer: any ResourceObserver, owner: AnyObject, of resource: Resource) -> Bool {
        if let object = observer.asObject, object === owner { return add(object, of: resource) }
        sayFarewells()
        return add(observer, identity: observer.identity, owner: owner, of: resource)
    }

    private func add(
        _ observer: any ResourceObserver, identity: ObserverSlots.Identity, owner: AnyObject, of resource: Resource
    ) -> Bool {
        let known = slot(of: identity)
        watchOwners(of: resource)
        if let known, slots.isAlive(known) {
            slots.add(owner, to: known)
            return false
        }
        let abandoned = known.flatMap { slots.take($0) }
        compact()
        let standIn = OwnedObserver(observer, identity: identity)
        slots.append(standIn, owner: owner)
        standIn.releaseIfSelfOwned()
        if standIn.isKeptByOthers { checkSoon(from: slots.count - 1, of: resource) }
        guard let abandoned else { return true }
        resource.endObservation(by: abandoned)
        return slots.contains(standIn)
    }

    /// Returns the slot of an observer. An observer that has lost its owners may still have a slot.
    private func slot(of identity: ObserverSlots.Identity) -> Int? {
        switch identity {
        case .object(let object):
            slots.slot(of: object)
        case .custom(let wanted, let hash):
            // The comparison may run code of the app, which may remove the observer that it finds.
            slots.standIns(hash: hash).first { $0.identity.isCustom(wanted) && slots.contains($0) }?.slot
        case .none:
            nil
        }
    }

    /// Removes `owner`, and all observers that have no other owner.
    func remove(ownedBy owner: AnyObject, of resource: Resource) {
        let removed = slots.removeObject(owner)
        let left = slots.removeOwner(owner)
        var kept: Set<ObjectIdentifier> = []  // Empty in most cases.
        for standIn in left where !slots.settle(standIn) { kept.insert(ObjectIdentifier(standIn)) }
        compact()
        if let removed { resource.endObservation(by: removed) }
        for standIn in left where !kept.contains(ObjectIdentifier(standIn)) {
            resource.endObservation(by: standIn)
        }
        for standIn in left { standIn.releaseIfSelfOwned() }
    }

    /// Removes `owner` from the owners of one observer. If it was the last owner, removes the observer.
    func remove(_ owner: AnyObject, of observer: any ResourceObserver & AnyObject, of resource: Resource) {
        guard let standIn = slots.removeOwner(owner, of: ObjectIdentifier(observer)) else { return }
        let isGone = slots.settle(standIn)
        compact()
        if isGone { resource.endObservation(by: standIn) }
        standIn.releaseIfSelfOwned()
    }

    /// Tells whether the observers require the service to keep the resource.
    enum Standing {
        /// At least one observer exists, or has not been told yet that its observation has ended.
        case observed
        case unobserved
        /// An observer has lost its owner. The list must dismiss this observer to find out.
        case unsettled
    }

    /// Tells, as far as it is known now, whether the observers require the service to keep the resource. Runs no code
    /// of the app.
    var standing: Standing {
        switch firstPresent {
        case nil: farewells.isEmpty ? .unobserved : .observed
        case let standIn as OwnedObserver: standIn.isSettled ? .observed : .unsettled
        default: .observed
        }
    }

    /// Adds an observer that does not count as one: nothing is loaded, polled or kept for it. It is held weakly, and is
    /// told before the other observers.
    func addPassive(_ observer: any ResourceObserver & AnyObject) {
        passive.removeAll { $0.observer == nil || $0.observer === observer }
        passive.append(Passive(observer: observer))
    }

    func removePassive(_ observer: any ResourceObserver & AnyObject) {
        passive.removeAll { $0.observer == nil || $0.observer === observer }
    }

    func removeAll(of resource: Resource) {
        let removed = (0..<slots.count).compactMap { slots.take($0) }
        compact()
        for observer in removed { resource.endObservation(by: observer) }
    }

    /// Returns true if an observer with an owner exists.
    ///
    /// Dismisses observers without owners, which may run code of the app. Their `stoppedObserving(resource:)` is called
    /// later.
    func hasLiveObserver(of resource: Resource) -> Bool {
        while let observer = firstPresent {
            guard let standIn = observer as? OwnedObserver, !standIn.isSettled else { return true }
            dismiss(standIn, of: resource)
        }
        return false
    }

    /// Dismisses the observers that have lost their owners, up to the first observer with an owner, and tells them at once.
    /// Returns true if it told any observer. This runs code of the app.
    func settle(of resource: Resource) -> Bool {
        _ = hasLiveObserver(of: resource)
        defer { sayFarewells() }
        return !farewells.isEmpty
    }

    /// The observers and stand-ins that exist.
    var presentObservers: [any ResourceObserver & AnyObject] { (0..<slots.count).compactMap { slots[$0] } }

    /// The first observer or stand-in that exists.
    private var firstPresent: (any ResourceObserver & AnyObject)? {
        while firstLive < slots.count {
            if let observer = slots[firstLive] { return observer }
            firstLive += 1
        }
        return nil
    }

    /// Ends the observation of an observer that has lost its owners. If the observer owns itself, only releases the
    /// strong reference to it.
    private func dismiss(_ standIn: OwnedObserver, of resource: Resource) {
        let observer = standIn.observer
        guard slots.settle(standIn) else { return standIn.releaseIfSelfOwned() }
        guard let observer, !(observer is ClosureObserver) else { return }
        farewells.append(Farewell(observer: observer, resource: resource))
        if farewells.count == 1 { MainQueue.async { self.sayFarewells() } }
    }

    private func sayFarewells() {
        guard !farewells.isEmpty else { return }
        for farewell in exchange(&farewells, with: []) {
            farewell.resource.endObservation(by: farewell.observer)
        }
    }

    // MARK: Released owners

    private func watchOwners(of resource: Resource) {
        guard !isWatched else { return }
        isWatched = true
        resource.context.watchOwners(of: resource)
    }

    /// Notes the name of an observer that is an object. If the object is released, nothing else is left of it.
    func note(_ name: String, of observer: any ResourceObserver & AnyObject, _ resource: Resource) {
        let old = named.updateValue(Named(observer: observer, name: name), forKey: ObjectIdentifier(observer))
        // A released object may have had the same identity.
        if let old, old.observer == nil { resource.record(.observerRemoved(old.name)) }
        watchOwners(of: resource)
    }

    /// Forgets the name of an observer whose end is in the activity of the service.
    func forgetName(of observer: any ResourceObserver) {
        guard !named.isEmpty, let object = observer.asObject else { return }
        named[ObjectIdentifier(object)] = nil
    }

    /// Ends the observations whose owners were released. Returns false if there are no owners whose release must be
    /// noticed.
    func dismissReleasedOwners(of resource: Resource) -> Bool {
        loop {
            for standIn in slots.abandonedStandIns { _ = checked(standIn, of: resource) }
        }
        let ended = named.filter { $0.value.observer == nil }
        for key in ended.keys { named[key] = nil }
        for name in ended.values.map(\.name).sorted() { resource.record(.observerRemoved(name)) }
        isWatched = slots.hasStandIns || !named.isEmpty
        return isWatched
    }

    /// Checks, in the next turn of the main queue, whether the owner of a new observer has already been released.
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

    /// Returns the observer of a stand-in if it still has an owner. Otherwise removes the observer, tells it that its
    /// observation has ended, and returns nil.
    func checked(_ observer: OwnedObserver, of resource: Resource) -> (any ResourceObserver)? {
        let present = observer.observer
        if observer.isKeptByOthers { return present }
        let isAlive = observer.isAlive
        let isGone = slots.settle(observer)
        observer.releaseIfSelfOwned()
        if isGone, let present { resource.endObservation(by: present) }
        return isAlive ? present : nil
    }

    // MARK: Delivering

    func deliver(_ event: ResourceEvent, of resource: Resource) {
        deliver(.event(event), of: resource)
    }

    func deliver(progress: Double, of resource: Resource) {
        deliver(.progress(progress), of: resource)
    }

    func deliver(retry: Resource.Retry?, of resource: Resource) {
        deliver(.retry(retry), of: resource)
    }

    package func deliverSilentChange(of resource: Resource) {
        deliver(.silentChange, of: resource)
    }

    private func deliver(_ delivery: Delivery, of resource: Resource) {
        guard !isDelivering else { return pending.append((delivery, slots.count)) }
        isDelivering = true
        loopCount += 1
        deliver(delivery, upTo: slots.count, of: resource)
        if !pending.isEmpty { deliverPending(of: resource) }
        loopCount -= 1
        isDelivering = false
        compact()
    }

    @inline(never)
    private func deliverPending(of resource: Resource) {
        var next = 0
        while next < pending.count {
            deliver(pending[next].delivery, upTo: pending[next].end, of: resource)
            next += 1
        }
        pending.removeAll()
    }

    private func deliver(_ delivery: Delivery, upTo end: Int, of resource: Resource) {
        if !passive.isEmpty { deliverToPassive(delivery, of: resource) }
        var emptyCount = 0
        for slot in 0..<end {
            guard let observer = slots[slot] else {
                emptyCount += 1
                continue
            }
            deliver(delivery, to: observer, of: resource)
        }
        if emptyCount > 0 { slots.note(emptyCount: emptyCount) }
    }

    @inline(never)
    private func deliverToPassive(_ delivery: Delivery, of resource: Resource) {
        for observer in passive.compactMap(\.observer) { deliver(delivery, to: observer, of: resource) }
    }

    @inline(__always)
    private func deliver(_ delivery: Delivery, to observer: any ResourceObserver & AnyObject, of resource: Resource) {
        switch delivery {
        case .event(let event): observer.resourceChanged(resource, event: event)
        case .progress(let progress): observer.resourceRequestProgress(for: resource, progress: progress)
        case .retry(let retry): observer.resourceRetryChanged(resource, retry: retry)
        case .silentChange: (observer as? any SilentChangeObserver)?.resourceChangedSilently(resource)
        }
    }

    /// Runs `body`, which loops over the slots and calls observers, and then closes the gaps. The observers may add and
    /// remove observers during the loop.
    private func loop(_ body: () -> Void) {
        loopCount += 1
        body()
        loopCount -= 1
        compact()
    }

    @inline(__always)
    private func compact() {
        if loopCount == 0, slots.mayHaveGaps { closeGaps() }
    }

    @inline(never)
    private func closeGaps() {
        let isRenumbered = slots.compact()
        firstLive = isRenumbered ? 0 : min(firstLive, slots.count)
        if let slot = uncheckedFrom { uncheckedFrom = isRenumbered ? 0 : min(slot, slots.count) }
    }
}

/// An observer inside the library that also receives the changes that are not events: invalidations, the start of a load
/// that waits for a cache, and changes of features such as the ``Resource/pushStatus``.
@MainActor
package protocol SilentChangeObserver: ResourceObserver, AnyObject {
    func resourceChangedSilently(_ resource: Resource)
}

extension ResourceObserver {
    /// The identity by which the observer is compared with others.
    fileprivate var identity: ObserverSlots.Identity {
        Self.self == ClosureObserver.self ? .none : ObserverSlots.Identity(observerIdentity)
    }
}

extension ObserverSlots.Identity {
    fileprivate init(_ identity: AnyHashable) {
        self = (identity.base as? ObjectIdentifier).map { .object($0) } ?? .custom(identity, hash: identity.hashValue)
    }

    fileprivate func isCustom(_ wanted: AnyHashable) -> Bool {
        if case .custom(let identity, _) = self { identity == wanted } else { false }
    }
}
