/// The observers of one resource, each in a slot, in the order in which they were added.
///
/// Runs no code of the app, which might want to change this meanwhile: identities are compared elsewhere, and whoever
/// takes something out gets it, or holds it already, so that nothing is released in here.
///
/// A slot is one weak reference, so that telling many observers costs little more than going through an array of them.
/// What is not an object in its own keeping is wrapped in an ``OwnedObserver``, which is kept here. Slots keep their
/// numbers until ``compact()``. Not copyable, so that asking it something never costs a copy.
@MainActor
struct ObserverSlots: ~Copyable {
    /// What makes two observers the same.
    enum Identity: Equatable {
        /// An object, most often the observer itself.
        case object(ObjectIdentifier)
        /// A value of the app's, and its hash.
        case custom(AnyHashable, hash: Int)
        /// There is no other like it.
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
    private var slotsOfOwner: [ObjectIdentifier: [Int]] = [:]
    private var emptyCount = 0
    private var emptiedLast: Int?
    private var countAtNextSweep = 32

    var count: Int { slots.count }

    /// Whoever is to be told what happens, an observer or its stand-in; nil if it has gone.
    subscript(slot: Int) -> (any ResourceObserver & AnyObject)? {
        precondition(slots.indices.contains(slot))
        return Self.observer(slot, in: slots)
    }

    /// Asks the weak reference in its place: taken out of the array it would be copied first, which costs as much again.
    ///
    /// Not isolated, since closures that are, and are called by the standard library, check that each time; for the same
    /// reason there are loops in place of closures below.
    private nonisolated static func observer(_ slot: Int, in slots: [Slot]) -> (any ResourceObserver & AnyObject)? {
        slots.withUnsafeBufferPointer { ($0.baseAddress.map { $0 + slot })?.pointee.present }
    }

    /// Whether the observer in a slot exists and has an owner.
    func isAlive(_ slot: Int) -> Bool {
        owned.isEmpty ? self[slot] != nil : owned[slot]?.isAlive ?? (self[slot] != nil)
    }

    /// The slot of an object, or of what has it for its identity.
    func slot(of object: ObjectIdentifier) -> Int? { find(object)?.slot }

    /// The stand-ins for observers that have an identity of the app's with this hash, alive or not.
    func standIns(hash: Int) -> [OwnedObserver] {
        var search = SlotIndex.Search(hash)
        var result: [OwnedObserver] = []
        while let slot = slotOfIdentity.next(&search) {
            if let standIn = owned[slot] { result.append(standIn) }
        }
        return result
    }

    /// Whether a stand-in has its place here.
    func contains(_ standIn: OwnedObserver) -> Bool { owned[standIn.slot] === standIn }

    // MARK: Adding

    /// Adds an observer that keeps itself.
    mutating func append(_ observer: any ResourceObserver & AnyObject) {
        let object = ObjectIdentifier(observer)
        slotOfObject.insert(slots.count, hash: Self.hash(object))
        slots.append(Slot(observer: observer))
    }

    /// Adds an observer that `owner` keeps.
    mutating func append(_ observer: OwnedObserver, owner: AnyObject) {
        observer.slot = slots.count
        slots.append(Slot(observer: observer))
        owned[observer.slot] = observer
        enter(observer.slot, under: observer.identity)
        add(owner, to: observer)
    }

    /// Lets `owner`, too, keep an observer that is there.
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
        guard observer.add(owner) else { return }
        slotsOfOwner[ObjectIdentifier(owner), default: []].append(observer.slot)
    }

    // MARK: Removing

    /// Removes an observer that is in its own keeping alone, and returns it.
    mutating func removeObject(_ owner: AnyObject) -> (any ResourceObserver & AnyObject)? {
        let object = ObjectIdentifier(owner)
        guard let (slot, observer) = find(object), observer === owner else { return nil }
        empty(slot, object: object)
        return observer
    }

    /// Takes `owner` away from the others, and returns these: each has to be settled.
    mutating func removeOwner(_ owner: AnyObject) -> [OwnedObserver] {
        guard !owned.isEmpty, let slots = slotsOfOwner.removeValue(forKey: ObjectIdentifier(owner)) else { return [] }
        var standIns: [OwnedObserver] = []
        standIns.reserveCapacity(slots.count)
        for slot in slots {
            guard let standIn = owned[slot] else { continue }
            standIn.remove(owner)
            standIns.append(standIn)
        }
        return standIns
    }

    /// Puts an owned observer where it belongs now: in its own keeping if it has no other owner, nowhere if it has none
    /// at all.
    ///
    /// In the first case it remains for the caller to call ``OwnedObserver/releaseIfSelfOwned()``.
    ///
    /// - Returns: whether it is gone now.
    mutating func settle(_ observer: OwnedObserver) -> Bool {
        guard contains(observer), !observer.isKeptByOthers else { return false }
        guard let object = observer.selfOwnedObject else {
            empty(observer.slot, identity: observer.identity)
            return true
        }
        if observer.identity == .object(ObjectIdentifier(object)) {
            slots[observer.slot].observer = object
            owned[observer.slot] = nil
        }
        return false
    }

    /// Takes out what is in a slot, alive or not, and returns it: an observer or its stand-in.
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

    /// Takes note of how many slots were found empty, those of objects that are no more among them.
    mutating func note(emptyCount count: Int) {
        emptyCount = max(emptyCount, count)
    }

    /// Closes the gaps once they are the larger part, so that adding and removing cost a constant in the long run;
    /// tells whether slots have other numbers now.
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

    private func find(_ object: ObjectIdentifier) -> (slot: Int, observer: any ResourceObserver & AnyObject)? {
        var search = SlotIndex.Search(Self.hash(object))
        while let slot = slotOfObject.next(&search) {
            guard let observer = self[slot] else { continue }
            let isFound = ObjectIdentifier(observer) == object || owned[slot]?.identity == .object(object)
            if isFound { return (slot, observer) }
        }
        return nil
    }

    private static func hash(_ object: ObjectIdentifier) -> Int {
        (Int(bitPattern: object) >> 4 &* 0x1E37_79B9_7F4A_7C15) >> 24
    }
}
