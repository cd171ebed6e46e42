/// Objects by key, in the order of their last use, of which unused ones are dropped once there are too many. Pure.
///
/// An object is unused if nothing but this registry refers to it and the owner has no other reason to keep it. Nothing
/// is released in here, and what the owner is asked must run no code but its own: either could change this meanwhile.
/// Look-up
/// and insertion take constant time, however many objects there are and whether or not they can be dropped. A key is
/// UTF-8, from a string or from wherever it was put together.
struct RecencyRegistry<Element: AnyObject> {
    private struct Slot {
        var element: Element?
        var older: Int32
        var newer: Int32
    }

    /// What the owner says of an object.
    enum Standing {
        /// There is a reason to keep it.
        case kept
        case unused
        /// The owner has to do something before this is known, and maybe before the last reference goes.
        case unsettled
    }

    /// What became of a search for unused objects.
    struct Trimmed {
        /// What was dropped.
        fileprivate(set) var dropped: [Element] = []
        /// The object that has to be settled before the search can go on, if there is one.
        fileprivate(set) var unsettled: Element?
    }

    private static var none: Int32 { -1 }
    /// How many objects in use each insertion looks at, and how many unused ones it drops at most.
    private static var examinedPerInsertion: Int { 2 }
    private static var droppedPerInsertion: Int { 16 }

    private let key: (Element) -> String
    private var index = SlotIndex()
    private var slots: [Slot] = []
    private var freeSlots: [Int32] = []
    private var oldest = none
    private var newest = none

    /// How many objects may still be examined in search of unused ones; it grows with each insertion, so that the
    /// search costs a constant for each, yet small registries are always searched whole.
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

    /// The object for `key`, which counts as used now.
    mutating func use(_ key: UnsafeRawBufferPointer) -> Element? {
        guard let slot = index.slot(hash: Self.hash(key), isMatch: { hasKey($0, key) }) else { return nil }
        markAsNewest(Int32(slot))
        return slots[slot].element
    }

    private func hasKey(_ slot: Int, _ wanted: UnsafeRawBufferPointer) -> Bool {
        slots[slot].element.map { key($0).withUTF8Bytes { $0.isEqual(to: wanted) } } ?? false
    }

    /// Seeded anew in each process, so that nobody can choose keys that collide.
    private static func hash(_ key: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: key)
        return hasher.finalize()
    }

    private func hash(of element: Element) -> Int { key(element).withUTF8Bytes(Self.hash) }

    /// Adds an object, whose key must not be there yet, as the most recently used.
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

    /// Drops the least recently used of the unused objects until at most `limit` objects are left.
    ///
    /// Objects found in use count as used now. With very many of either the search is spread over several insertions.
    /// It ends at the first object that is unsettled.
    mutating func trim(to limit: Int, standing: (Element) -> Standing) -> Trimmed {
        trim(to: limit, dropping: Self.droppedPerInsertion, standing: standing)
    }

    /// Drops every unused object beyond `limit`, however long it takes, up to the first that is unsettled.
    mutating func trimCompletely(to limit: Int, standing: (Element) -> Standing) -> Trimmed {
        credit = count
        return trim(to: limit, dropping: count, standing: standing)
    }

    private mutating func trim(to limit: Int, dropping maximum: Int, standing: (Element) -> Standing) -> Trimmed {
        var trimmed = Trimmed()
        while count > limit, credit > 0, trimmed.dropped.count < maximum, oldest != Self.none {
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

    private mutating func dropIfUnique(_ slot: Int32) -> Element? {
        guard isKnownUniquelyReferenced(&slots[Int(slot)].element), let element = slots[Int(slot)].element
        else { return nil }
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
