import HTTPRules

/// Objects by key, in the order of their last use. If there are too many objects, the registry drops unused objects.
/// Pure.
///
/// An object is unused if only this registry references it, and its owner has no other reason to keep it. The registry
/// releases no object itself, and the owner's `standing` closure must run no code of the app. Both could change the
/// registry during its own change. Look-up and insertion take constant time, for any number of used and unused objects.
/// A key is UTF-8 text, from a string or from any buffer.
struct RecencyRegistry<Element: AnyObject> {
    private struct Slot {
        var element: Element?
        var older: Int32
        var newer: Int32
    }

    /// Tells whether the owner has a reason to keep an object.
    enum Standing {
        /// The owner has a reason to keep the object.
        case kept
        case unused
        /// The owner must do some work to find out, and possibly also before the last reference is released.
        case unsettled
    }

    /// The result of a search for unused objects.
    struct Trimmed {
        /// The dropped objects, which the caller must release.
        fileprivate(set) var dropped: [Element] = []
        /// The object that the owner must settle before the search can continue; nil if there is no such object.
        fileprivate(set) var unsettled: Element?
    }

    private static var none: Int32 { -1 }
    /// A time that can be marked. The objects that were not used since then are older than the mark.
    enum Mark {
        /// The last search for objects whose retention has ended.
        case sweep
        /// The last update of an index of the objects.
        case index
    }

    /// The number of objects in use that each insertion examines, and the maximum number of unused objects that an
    /// insertion drops.
    private static var examinedPerInsertion: Int { 2 }
    private static var droppedPerInsertion: Int { 16 }

    private let key: (Element) -> String
    private var index = SlotIndex()
    private var slots: [Slot] = []
    private var freeSlots: [Int32] = []
    private var oldest = none
    private var newest = none
    /// Slots without an object, one for each mark; -1 for a mark that is not set, or older than all objects.
    private var sweepMark = none
    private var indexMark = none

    /// The number of objects that the search for unused objects may still examine. It grows with each insertion, so
    /// that the search costs constant time for each insertion, and small registries are always searched completely.
    private var credit = 0

    init(key: @escaping (Element) -> String) {
        self.key = key
    }

    var count: Int { index.count }

    /// All objects, the least recently used first.
    var elements: [Element] {
        var result: [Element] = []
        var slot = oldest
        while slot != Self.none {
            if let element = slots[Int(slot)].element { result.append(element) }
            slot = slots[Int(slot)].newer
        }
        return result
    }

    /// Returns the object for `key`, and marks it as the most recently used.
    mutating func use(_ key: UnsafeRawBufferPointer) -> Element? {
        guard let slot = index.slot(hash: Self.hash(key), isMatch: { hasKey($0, key) }) else { return nil }
        markAsNewest(Int32(slot))
        return slots[slot].element
    }

    /// Returns the object for `key`, and does not mark it as used.
    func peek(_ key: UnsafeRawBufferPointer) -> Element? {
        index.slot(hash: Self.hash(key), isMatch: { hasKey($0, key) }).flatMap { slots[$0].element }
    }

    /// Returns the slot of the object for `key`, and does not mark it as used. An object keeps its slot until it is
    /// dropped. Afterwards, another object may get the slot.
    func slot(of key: UnsafeRawBufferPointer) -> Int32? {
        index.slot(hash: Self.hash(key), isMatch: { hasKey($0, key) }).map { Int32($0) }
    }

    /// Returns the objects in these slots, without those slots that are empty.
    func elements(in wanted: some Sequence<Int32>) -> [Element] {
        var result: [Element] = []
        for slot in wanted where slots.indices.contains(Int(slot)) {
            if let element = slots[Int(slot)].element { result.append(element) }
        }
        return result
    }

    private func hasKey(_ slot: Int, _ wanted: UnsafeRawBufferPointer) -> Bool {
        slots[slot].element.map { key($0).withUTF8Bytes { $0.isEqual(to: wanted) } } ?? false
    }

    /// The hash is seeded differently in each process, so that an attacker cannot choose keys that collide.
    private static func hash(_ key: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: key)
        return hasher.finalize()
    }

    private func hash(of element: Element) -> Int { key(element).withUTF8Bytes(Self.hash) }

    /// Adds an object as the most recently used. Its key must not exist yet.
    mutating func insert(_ element: Element) {
        let slot: Int32
        if let free = freeSlots.popLast() {
            slot = free
            slots[Int(slot)].element = element
        } else {
            slot = Int32(slots.count)
            slots.append(Slot(element: element, older: Self.none, newer: Self.none))
        }
        index.insert(Int(slot), hash: hash(of: element))
        append(slot)
        credit = min(credit + Self.examinedPerInsertion, count)
    }

    /// Drops unused objects, the least recently used first, until at most `limit` objects are left.
    ///
    /// Objects that are found to be in use are marked as used now. If there are very many used or unused objects, the
    /// search is spread over several insertions. The search ends at the first unsettled object.
    mutating func trim(to limit: Int, standing: (Element) -> Standing) -> Trimmed {
        trim(to: limit, dropping: Self.droppedPerInsertion, standing: standing)
    }

    /// Drops unused objects until at most `limit` objects are left, in time proportional to the number of objects. Ends
    /// at the first unsettled object.
    mutating func trimCompletely(to limit: Int, standing: (Element) -> Standing) -> Trimmed {
        credit = count
        return trim(to: limit, dropping: count, standing: standing)
    }

    private mutating func trim(to limit: Int, dropping maximum: Int, standing: (Element) -> Standing) -> Trimmed {
        var trimmed = Trimmed()
        while count > limit, credit > 0, trimmed.dropped.count < maximum, oldest != Self.none {
            while oldest == sweepMark || oldest == indexMark { removeMark(oldest == sweepMark ? .sweep : .index) }
            let standing = slots[Int(oldest)].element.map(standing) ?? .kept
            if standing == .unsettled {
                trimmed.unsettled = slots[Int(oldest)].element
                return trimmed
            }
            if standing == .unused, let element = dropIfUnique(oldest) {
                trimmed.dropped.append(element)
            } else {
                credit -= 1
                markAsNewest(oldest)
            }
        }
        return trimmed
    }

    /// Marks this time.
    mutating func setMark(_ mark: Mark) {
        removeMark(mark)
        let slot = freeSlots.popLast() ?? Int32(slots.count)
        if slot == slots.count { slots.append(Slot(element: nil, older: Self.none, newer: Self.none)) }
        append(slot)
        set(mark, slot)
    }

    mutating func removeMark(_ mark: Mark) {
        let slot = mark == .sweep ? sweepMark : indexMark
        guard slot != Self.none else { return }
        set(mark, Self.none)
        unlink(slot)
        freeSlots.append(slot)
    }

    private mutating func set(_ mark: Mark, _ slot: Int32) {
        if mark == .sweep { sweepMark = slot } else { indexMark = slot }
    }

    /// Returns the slots of the objects that were added or used since the mark ``Mark/index``, and sets the mark. Takes time
    /// proportional to their number. Without a mark, returns the slots of all objects.
    mutating func takeUsedSlots() -> [Int32] {
        guard newest != indexMark else { return [] }
        var used: [Int32] = []
        var slot = newest
        while slot != Self.none, slot != indexMark {
            if slot != sweepMark { used.append(slot) }
            slot = slots[Int(slot)].older
        }
        setMark(.index)
        return used
    }

    /// Drops unused objects, the least recently used first, if `isUnwanted` returns true. Returns them; the caller must
    /// release them. Takes time proportional to the number of objects.
    ///
    /// - Parameter isUnwanted: Receives each object. The Boolean values tell whether it is unused, and whether it was used
    ///   since the mark ``Mark/sweep``. Must run no code of the app.
    mutating func drop(
        standing: (Element) -> Standing, where isUnwanted: (Element, _ isUnused: Bool, _ isUsedSinceMark: Bool) -> Bool
    ) -> [Element] {
        var dropped: [Element] = []
        var isUsedSinceMark = sweepMark == Self.none
        var next = oldest
        while next != Self.none {
            let slot = next
            next = slots[Int(slot)].newer
            if slot == sweepMark { isUsedSinceMark = true }
            // Asked first, because each reference below would count.
            let isUnique = isKnownUniquelyReferenced(&slots[Int(slot)].element)
            guard let element = slots[Int(slot)].element else { continue }
            let isUnused = isUnique && standing(element) == .unused
            if isUnwanted(element, isUnused, isUsedSinceMark), isUnused { dropped.append(remove(element, from: slot)) }
        }
        return dropped
    }

    private mutating func dropIfUnique(_ slot: Int32) -> Element? {
        guard isKnownUniquelyReferenced(&slots[Int(slot)].element), let element = slots[Int(slot)].element
        else { return nil }
        return remove(element, from: slot)
    }

    private mutating func remove(_ element: Element, from slot: Int32) -> Element {
        index.remove(Int(slot), hash: hash(of: element))
        unlink(slot)
        slots[Int(slot)].element = nil
        freeSlots.append(slot)
        return element
    }

    private mutating func markAsNewest(_ slot: Int32) {
        guard slot != newest else { return }
        unlink(slot)
        append(slot)
    }

    private mutating func append(_ slot: Int32) {
        slots[Int(slot)].older = newest
        slots[Int(slot)].newer = Self.none
        if newest == Self.none { oldest = slot } else { slots[Int(newest)].newer = slot }
        newest = slot
    }

    private mutating func unlink(_ slot: Int32) {
        let (older, newer) = (slots[Int(slot)].older, slots[Int(slot)].newer)
        if older == Self.none { oldest = newer } else { slots[Int(older)].newer = newer }
        if newer == Self.none { newest = older } else { slots[Int(newer)].older = older }
    }
}
