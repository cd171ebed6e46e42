/// The observers of one resource, each in a slot, in the order in which they were added.
///
/// This type runs no code of the app, because such code might change the same slots. Therefore ``ObserverList``
/// compares the identities, and no object is released inside these methods: the caller receives every removed object,
/// or already holds it.
///
/// A slot is one weak reference. Therefore the delivery of an event costs little more than a loop over an array of the
/// observers. An observer that is a value, or has other owners than itself, is wrapped in an ``OwnedObserver``, which
/// this type keeps alive. Slots keep their numbers until ``compact()`` is called. The type is not copyable, so that no
/// read of a property of this type copies it.
@MainActor
struct ObserverSlots: ~Copyable {
    /// The identity of an observer. Two observers with equal identities are the same observer.
    enum Identity: Equatable {
        /// An object, in most cases the observer itself.
        case object(ObjectIdentifier)
        /// A value of the app, and its hash.
        case custom(AnyHashable, hash: Int)
        /// An identity that no other observer has.
        case none
    }

    private struct Slot {
        weak var observer: (any ResourceObserver & AnyObject)?

        var present: (any ResourceObserver & AnyObject)? { observer }
    }

    private var slots: [Slot] = []
    private var owned: [Int: OwnedObserver] = [:]
    private var slotOfObject = SlotIndex()
    private var slotOfIdentity = SlotIndex()
    /// The slots of each owner. The slots of a released owner stay in this table, although other observers may use
    /// these slots now. A new owner may have the identifier of a released one.
    private var slotsOfOwner: [ObjectIdentifier: [Int]] = [:]
    private var emptyCount = 0
    private var emptiedLast: Int?
    private var countAtNextSweep = 32

    var count: Int { slots.count }

    /// The object that receives events in this slot: an observer or its stand-in; nil if that object no longer exists.
    subscript(slot: Int) -> (any ResourceObserver & AnyObject)? {
        precondition(slots.indices.contains(slot))
        return Self.observer(slot, in: slots)
    }

    /// Reads the weak reference in place. Reading the slot out of the array would first copy the reference, which
    /// doubles the cost.
    ///
    /// Not isolated, because the standard library checks the isolation of an isolated closure at each call. For the
    /// same reason, the methods below use loops instead of closures.
    @inline(__always)
    private nonisolated static func observer(_ slot: Int, in slots: [Slot]) -> (any ResourceObserver & AnyObject)? {
        slots.withUnsafeBufferPointer { ($0.baseAddress.map { $0 + slot })?.pointee.present }
    }

    /// Returns true if the observer in a slot exists and has an owner.
    func isAlive(_ slot: Int) -> Bool {
        owned.isEmpty ? self[slot] != nil : owned[slot]?.isAlive ?? (self[slot] != nil)
    }

    /// Returns the slot of an object, or of an observer whose identity is this object.
    mutating func slot(of object: ObjectIdentifier) -> Int? { find(object)?.slot }

    /// Returns the stand-ins of all observers whose custom identity has this hash, with and without owners.
    func standIns(hash: Int) -> [OwnedObserver] {
        var search = SlotIndex.Search(hash)
        var result: [OwnedObserver] = []
        while let slot = slotOfIdentity.next(&search) {
            if let standIn = owned[slot] { result.append(standIn) }
        }
        return result
    }

    var hasStandIns: Bool { !owned.isEmpty }

    /// The stand-ins whose observers have no other owner than themselves, in order.
    var abandonedStandIns: [OwnedObserver] {
        var found: [OwnedObserver] = []
        for standIn in owned.values where !standIn.isKeptByOthers { found.append(standIn) }
        return found.count > 1 ? found.sorted { $0.slot < $1.slot } : found
    }

    func contains(_ standIn: OwnedObserver) -> Bool { owned[standIn.slot] === standIn }

    // MARK: Adding

    /// Adds an observer that owns itself.
    mutating func append(_ observer: any ResourceObserver & AnyObject) {
        let object = ObjectIdentifier(observer)
        slotOfObject.insert(slots.count, hash: Self.hash(object))
        slots.append(Slot(observer: observer))
    }

    mutating func append(_ observer: OwnedObserver, owner: AnyObject) {
        observer.slot = slots.count
        slots.append(Slot(observer: observer))
        owned[observer.slot] = observer
        enter(observer.slot, under: observer.identity)
        add(owner, to: observer)
    }

    /// Adds `owner` to the owners of the observer in a slot.
    mutating func add(_ owner: AnyObject, to slot: Int) {
        if let known = owned[slot] { return add(owner, to: known) }
        guard let observer = self[slot], observer !== owner else { return }
        let standIn = OwnedObserver(observer, identity: .object(ObjectIdentifier(observer)))
        standIn.slot = slot
        slots[slot].observer = standIn
        owned[slot] = standIn
        add(observer, to: standIn)
        add(owner, to: standIn)
    }

    private mutating func add(_ owner: AnyObject, to observer: OwnedObserver) {
        let id = ObjectIdentifier(owner)
        let isKnown = isCurrent(slotsOfOwner[id], of: id)
        guard observer.add(owner) else { return }
        if isKnown {
            append(observer.slot, to: id)
        } else {
            if slotsOfOwner.count == slotsOfOwner.capacity { forgetReleasedOwners() }
            slotsOfOwner[id] = [observer.slot]
        }
    }

    /// Adds a slot to the list of an owner. Before the list would grow, slots of which the object is no owner any more leave
    /// it, so that each of them costs constant time.
    private mutating func append(_ slot: Int, to id: ObjectIdentifier) {
        if let slots = slotsOfOwner[id], slots.count >= 8, slots.count == slots.capacity {
            var current = slots.filter { owned[$0]?.isOwned(by: id) == true }
            current.reserveCapacity(2 * current.count)
            slotsOfOwner[id] = current
        }
        slotsOfOwner[id]?.append(slot)
    }

    /// Removes slots from the end of an owner's list as long as the object is no owner of them any more. Others stay in the
    /// list: to search for them would take linear time.
    private mutating func forgetEnd(of id: ObjectIdentifier) {
        while let slot = slotsOfOwner[id]?.last, owned[slot]?.isOwned(by: id) != true { slotsOfOwner[id]?.removeLast() }
        if slotsOfOwner[id]?.isEmpty == true { slotsOfOwner[id] = nil }
    }

    /// Returns true if the list of an owner's slots is up to date: the last of these observers has this owner. Otherwise none of
    /// them has it.
    private func isCurrent(_ slots: [Int]?, of id: ObjectIdentifier) -> Bool {
        guard let slot = slots?.last else { return false }
        return owned[slot]?.isOwned(by: id) ?? false
    }

    /// Removes the entries of owners that own no observer. The caller does this before the table would grow, so that it
    /// takes amortised constant time.
    private mutating func forgetReleasedOwners() {
        slotsOfOwner = slotsOfOwner.filter { isCurrent($0.value, of: $0.key) }
        slotsOfOwner.reserveCapacity(2 * slotsOfOwner.count)
    }

    // MARK: Removing

    /// Removes an observer whose only owner is itself, and returns it.
    mutating func removeObject(_ owner: AnyObject) -> (any ResourceObserver & AnyObject)? {
        let object = ObjectIdentifier(owner)
        guard let (slot, observer) = find(object), observer === owner else { return nil }
        empty(slot, object: object)
        return observer
    }

    /// Removes `owner` from the owners of all stand-ins. Returns these stand-ins; the caller must settle each of them.
    mutating func removeOwner(_ owner: AnyObject) -> [OwnedObserver] {
        guard !owned.isEmpty, let slots = slotsOfOwner.removeValue(forKey: ObjectIdentifier(owner)) else { return [] }
        var standIns: [OwnedObserver] = []
        standIns.reserveCapacity(slots.count)
        for slot in slots {
            if let standIn = owned[slot], standIn.remove(owner) { standIns.append(standIn) }
        }
        return standIns
    }

    /// Removes `owner` from the owners of one stand-in. Returns the stand-in, which the caller must settle; nil if `owner` was
    /// no owner.
    mutating func removeOwner(_ owner: AnyObject, of object: ObjectIdentifier) -> OwnedObserver? {
        guard let slot = slot(of: object), let standIn = owned[slot], standIn.remove(owner) else { return nil }
        forgetEnd(of: ObjectIdentifier(owner))
        return standIn
    }

    /// Updates the slot of an owned observer after a change of its owners. If the observer is its only owner, the slot
    /// refers to the observer directly. If it has no owner, removes it.
    ///
    /// If the observer is its only owner, the caller must call ``OwnedObserver/releaseIfSelfOwned()`` afterwards.
    ///
    /// - Returns: True if the observer was removed.
    mutating func settle(_ observer: OwnedObserver) -> Bool {
        guard contains(observer), !observer.isKeptByOthers else { return false }
        guard let object = observer.selfOwnedObject else {
            empty(observer.slot, identity: observer.identity)
            return true
        }
        if observer.identity == .object(ObjectIdentifier(object)) {
            slots[observer.slot].observer = object
            owned[observer.slot] = nil
            forgetEnd(of: ObjectIdentifier(object))
        }
        return false
    }

    /// Empties a slot, and returns its observer or stand-in, whether or not it has an owner.
    mutating func take(_ slot: Int) -> (any ResourceObserver & AnyObject)? {
        if let standIn = owned[slot] {
            empty(slot, identity: standIn.identity)
            return standIn
        }
        guard let observer = self[slot] else { return nil }
        empty(slot, object: ObjectIdentifier(observer))
        return observer
    }

    private mutating func empty(_ slot: Int, identity: Identity) {
        switch identity {
        case .object(let object): return empty(slot, object: object)
        case .custom(_, let hash): slotOfIdentity.remove(slot, hash: hash)
        case .none: break
        }
        vacate(slot)
    }

    private mutating func empty(_ slot: Int, object: ObjectIdentifier) {
        slotOfObject.remove(slot, hash: Self.hash(object))
        vacate(slot)
    }

    private mutating func vacate(_ slot: Int) {
        slots[slot].observer = nil
        if !owned.isEmpty { owned[slot] = nil }
        emptyCount += 1
        emptiedLast = slot
    }

    // MARK: Closing gaps

    /// Records the number of slots that were found empty, including those whose objects no longer exist.
    mutating func note(emptyCount count: Int) {
        emptyCount = max(emptyCount, count)
    }

    /// False if ``compact()`` has nothing to do.
    var mayHaveGaps: Bool { emptiedLast != nil || emptyCount > 16 || slots.count >= countAtNextSweep }

    /// Closes the gaps if more than half of the slots are empty, so that adding and removing take amortised constant
    /// time. Returns true if slots have new numbers.
    mutating func compact() -> Bool {
        if emptiedLast == slots.count - 1 {
            slots.removeLast()
            emptyCount -= 1
        }
        emptiedLast = nil
        if slots.count >= countAtNextSweep {
            emptyCount = slots.indices.count { self[$0] == nil }
            countAtNextSweep = 2 * slots.count
        }
        guard emptyCount > 16, emptyCount > slots.count / 2 else { return false }
        renumber()
        return true
    }

    private mutating func renumber() {
        let old = (slots: slots, owned: owned, slotsOfOwner: slotsOfOwner)
        self = ObserverSlots()
        for (slot, entry) in old.slots.enumerated() {
            guard let observer = entry.observer else { continue }
            enter(slots.count, under: old.owned[slot]?.identity ?? .object(ObjectIdentifier(observer)))
            if let observer = old.owned[slot] {
                observer.slot = slots.count
                owned[observer.slot] = observer
            }
            slots.append(entry)
        }
        slotsOfOwner = old.slotsOfOwner.compactMapValues { numbers in
            let kept = numbers.compactMap { old.owned[$0]?.slot }
            return kept.isEmpty ? nil : kept
        }
        countAtNextSweep = max(32, 2 * slots.count)
    }

    // MARK: Finding

    private mutating func enter(_ slot: Int, under identity: Identity) {
        switch identity {
        case .object(let object): slotOfObject.insert(slot, hash: Self.hash(object))
        case .custom(_, let hash): slotOfIdentity.insert(slot, hash: hash)
        case .none: break
        }
    }

    /// Finds an object that exists. If it is new, forgets a released observer that had the same identifier: the system gives
    /// the same memory to many objects, and each search would find all of them.
    private mutating func find(_ object: ObjectIdentifier) -> (slot: Int, observer: any ResourceObserver & AnyObject)? {
        var search = SlotIndex.Search(Self.hash(object))
        var released: Int?
        while let slot = slotOfObject.next(&search) {
            guard let observer = self[slot] else {
                released = slot
                continue
            }
            let isFound = ObjectIdentifier(observer) == object || owned[slot]?.identity == .object(object)
            if isFound { return (slot, observer) }
        }
        if let released { slotOfObject.remove(released, hash: Self.hash(object)) }
        return nil
    }

    private static func hash(_ object: ObjectIdentifier) -> Int {
        (Int(bitPattern: object) >> 4 &* 0x1E37_79B9_7F4A_7C15) >> 24
    }
}
