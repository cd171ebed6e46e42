import Foundation
import SiestaCore

/// The times at which polled resources are due, as a heap. Pure.
///
/// A slot stands for one resource. All functions take logarithmic time at most.
struct PollSchedule {
    private struct Slot {
        var due: TimeInterval
        /// The interval in seconds.
        var interval: Float
        /// The position in the heap; -1 if the resource is not due at any time.
        var position: Int32
    }

    private var slots: [Slot] = []
    private var free: [Int32] = []
    /// The slots that are due at some time. No slot is due earlier than the slot at half of its position.
    private var heap: [Int32] = []

    /// The number of slots in use and of free slots.
    var slotCount: Int { slots.count }

    /// The slot that is due first, and its time.
    var first: (slot: Int, due: TimeInterval)? {
        heap.first.map { (Int($0), slots[Int($0)].due) }
    }

    /// Returns a new slot, which is not due at any time.
    mutating func add(interval: TimeInterval) -> Int {
        let slot = Slot(due: 0, interval: Float(interval), position: -1)
        if let index = free.popLast() {
            slots[Int(index)] = slot
            return Int(index)
        }
        slots.append(slot)
        return slots.count - 1
    }

    mutating func remove(_ slot: Int) {
        pause(slot)
        free.append(Int32(slot))
    }

    func interval(of slot: Int) -> TimeInterval { TimeInterval(slots[slot].interval) }

    /// True if the slot is due at some time.
    func isScheduled(_ slot: Int) -> Bool { slots[slot].position >= 0 }

    /// Sets the interval of a slot. An interval that is running keeps its beginning.
    mutating func setInterval(_ interval: TimeInterval, of slot: Int) {
        let old = self.interval(of: slot)
        slots[slot].interval = Float(interval)
        let difference = self.interval(of: slot) - old
        if isScheduled(slot), difference != 0 { schedule(slot, at: slots[slot].due + difference) }
    }

    /// Makes a slot due at `time`.
    mutating func schedule(_ slot: Int, at time: TimeInterval) {
        slots[slot].due = time
        if slots[slot].position < 0 {
            slots[slot].position = Int32(heap.count)
            heap.append(Int32(slot))
        }
        settle(Int(slots[slot].position))
    }

    /// Makes a slot due at no time.
    mutating func pause(_ slot: Int) {
        let position = Int(slots[slot].position)
        guard position >= 0 else { return }
        slots[slot].position = -1
        let last = heap.removeLast()
        guard Int(last) != slot else { return }
        heap[position] = last
        slots[Int(last)].position = Int32(position)
        settle(position)
    }

    private func due(_ position: Int) -> TimeInterval { slots[Int(heap[position])].due }

    private mutating func swap(_ one: Int, _ other: Int) {
        heap.swapAt(one, other)
        slots[Int(heap[one])].position = Int32(one)
        slots[Int(heap[other])].position = Int32(other)
    }

    /// Moves the element at a position to the position that its time requires.
    private mutating func settle(_ start: Int) {
        var position = start
        while position > 0, due(position) < due((position - 1) / 2) {
            swap(position, (position - 1) / 2)
            position = (position - 1) / 2
        }
        while true {
            let children = (2 * position + 1)..<min(2 * position + 3, max(heap.count, 2 * position + 1))
            guard let child = children.min(by: { due($0) < due($1) }), due(child) < due(position) else { return }
            swap(position, child)
            position = child
        }
    }
}
