/// Values of objects, in the order in which they were added. Pure.
///
/// A change of one value takes constant time on average. Objects are known by their identities: an object must be removed
/// before its release.
package struct ObjectTable<Value> {
    private typealias Slots = [(object: ObjectIdentifier, value: Value)?]

    /// The values, and nil in place of those that were removed. The last element is a value.
    private var slots: Slots = []
    private var positions: [ObjectIdentifier: Int] = [:]

    package init() {}

    package var isEmpty: Bool { positions.isEmpty }

    /// The value that was added first.
    package var first: Value? { slots.lazy.compactMap(\.self).first?.value }

    /// The value that was added last.
    package var last: Value? { slots.last??.value }

    package var values: [Value] { slots.compactMap { $0?.value } }

    /// Adds a value, or removes that of an object. Returns its old value, which the caller releases after the change.
    package mutating func set(_ value: Value?, of object: AnyObject) -> Value? {
        if value == nil, positions.isEmpty { return nil }
        let key = ObjectIdentifier(object)
        let old = positions.removeValue(forKey: key).flatMap { exchange(&slots[$0], with: nil) }
        if let value {
            positions[key] = slots.count
            slots.append((key, value))
        }
        while let last = slots.last, last == nil { slots.removeLast() }
        if positions.isEmpty { self = ObjectTable() }  // Returns the memory.
        if slots.count > 16, slots.count > 2 * positions.count { compact(slots) }
        return old?.value
    }

    /// Removes and returns values.
    package mutating func removeAll(where isRemoved: (Value) -> Bool = { _ in true }) -> [Value] {
        var (kept, removed): (Slots, [Value]) = ([], [])
        for case let slot? in slots {
            if isRemoved(slot.value) { removed.append(slot.value) } else { kept.append(slot) }
        }
        compact(kept)
        return removed
    }

    private mutating func compact(_ kept: Slots) {
        slots = kept.filter { $0 != nil }
        positions = [:]
        for (position, slot) in slots.enumerated() {
            if let slot { positions[slot.object] = position }
        }
    }
}
