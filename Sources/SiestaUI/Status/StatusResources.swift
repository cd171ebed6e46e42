import SiestaCore

/// The resources of a ``StatusOverlayModel`` with their last known states. A change takes constant time on average.
@MainActor
struct StatusResources {
    private var numbers: [ObjectIdentifier: Int] = [:]
    /// The resources in the order in which they were added, by their numbers. Nil in place of those that were removed.
    private var slots: [(resource: Resource, item: StatusRules.Item)?] = []
    private(set) var tally = StatusTally()

    /// All resources, in the order in which they were added.
    var all: [Resource] { slots.compactMap { $0?.resource } }

    /// The resource with a number of the tally.
    subscript(number: Int) -> Resource? { slots[number]?.resource }

    /// Adds a resource, unless it is there.
    mutating func add(_ resource: Resource) {
        guard numbers[ObjectIdentifier(resource)] == nil else { return }
        if slots.count > 2 * numbers.count + 16 { compact() }
        numbers[ObjectIdentifier(resource)] = slots.count
        slots.append((resource, StatusRules.Item()))
        tally.replace(nil, by: StatusRules.Item(), at: slots.count - 1)
    }

    /// Replaces the state of a resource, unless it was removed.
    mutating func set(_ item: StatusRules.Item, of resource: Resource) {
        guard let number = numbers[ObjectIdentifier(resource)], let old = slots[number]?.item else { return }
        tally.replace(old, by: item, at: number)
        slots[number]?.item = item
    }

    mutating func remove(_ resource: Resource) {
        guard let number = numbers.removeValue(forKey: ObjectIdentifier(resource)) else { return }
        tally.replace(slots[number]?.item, by: nil, at: number)
        slots[number] = nil
    }

    /// Numbers the resources anew.
    private mutating func compact() {
        let kept = slots.compactMap(\.self)
        (numbers, slots, tally) = ([:], kept, StatusTally())
        for (number, slot) in kept.enumerated() {
            numbers[ObjectIdentifier(slot.resource)] = number
            tally.replace(nil, by: slot.item, at: number)
        }
    }
}
