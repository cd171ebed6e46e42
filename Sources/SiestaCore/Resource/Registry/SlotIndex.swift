/// A hash table from keys to the slots of an array in which the table's owner stores the keys. Pure.
///
/// The table needs eight bytes for each key, and stores neither keys nor values: the owner computes hashes and compares
/// keys. Therefore the wanted key may exist only as bytes on the stack, or as a weak reference. The table uses open
/// addressing with linear probing. All operations take constant time on average.
package struct SlotIndex {
    /// The number of a slot, and a part of the hash. In most cases, this part tells two keys apart without a comparison
    /// by the owner.
    private struct Bucket {
        static let empty = Bucket(tag: 0, slot: -1)

        var tag: UInt32
        var slot: Int32
    }

    private var buckets: [Bucket] = []
    package private(set) var count = 0

    package init() {}

    /// Returns the slot that has this hash and for which `isMatch` returns true; nil if there is no such slot.
    @inline(__always)
    package func slot(hash: Int, isMatch: (Int) -> Bool) -> Int? {
        var search = Search(hash)
        while let slot = next(&search) {
            if isMatch(slot) { return slot }
        }
        return nil
    }

    /// The position of one search for a key.
    struct Search {
        fileprivate let tag: UInt32
        fileprivate var position: Int

        init(_ hash: Int) {
            tag = SlotIndex.tag(hash)
            position = Int(tag)
        }
    }

    /// Returns the next slot whose key may be the wanted one; nil at the end of the search.
    @inline(__always)
    func next(_ search: inout Search) -> Int? {
        guard count > 0 else { return nil }
        while true {
            let bucket = buckets[search.position & mask]
            guard bucket.slot >= 0 else { return nil }
            search.position += 1
            if bucket.tag == search.tag { return Int(bucket.slot) }
        }
    }

    /// Adds a slot that is not in the table.
    package mutating func insert(_ slot: Int, hash: Int) {
        if (count + 1) * 5 > buckets.count * 4 { grow() }
        place(Bucket(tag: Self.tag(hash), slot: Int32(slot)))
        count += 1
    }

    /// Removes a slot that was added with the same hash. Does nothing if the slot is not in the table.
    mutating func remove(_ slot: Int, hash: Int) {
        guard count > 0 else { return }
        var position = Int(Self.tag(hash)) & mask
        while buckets[position].slot != slot {
            guard buckets[position].slot >= 0 else { return }
            position = (position + 1) & mask
        }
        count -= 1
        closeGap(at: position)
    }

    private var mask: Int { buckets.count - 1 }

    private static func tag(_ hash: Int) -> UInt32 { UInt32(truncatingIfNeeded: hash) }

    private mutating func place(_ bucket: Bucket) {
        var position = Int(bucket.tag) & mask
        while buckets[position].slot >= 0 { position = (position + 1) & mask }
        buckets[position] = bucket
    }

    private mutating func grow() {
        let old = buckets
        buckets = Array(repeating: .empty, count: max(8, old.count * 2))
        for bucket in old where bucket.slot >= 0 { place(bucket) }
    }

    /// Moves the following buckets back into the gap if a search would still find them there.
    private mutating func closeGap(at position: Int) {
        var gap = position
        var next = (gap + 1) & mask
        while buckets[next].slot >= 0 {
            let distance = (next - Int(buckets[next].tag)) & mask
            if distance >= (next - gap) & mask {
                buckets[gap] = buckets[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        buckets[gap] = .empty
    }
}
