/// A change to a list: it removes adjacent items, and inserts other items at the same position.
public struct ListChange: Sendable, Equatable {
    /// The position in the old list at which items are removed and the new items are inserted.
    public let position: Int
    /// The number of removed items.
    public let removedCount: Int
    /// The positions of the inserted items in the new list.
    public let inserted: Range<Int>

    /// Creates a change from its parts.
    public init(position: Int, removedCount: Int, inserted: Range<Int>) {
        (self.position, self.removedCount, self.inserted) = (position, removedCount, inserted)
    }
}

extension ListChange {
    /// The number of items in a part of a list in which items have moved, up to which the changes are as small as possible.
    /// Larger parts are replaced as a whole, because the search takes up to quadratic time.
    static let searchLimit = 400

    /// Returns the changes that turn one list into another. They are ordered from the end of the list to its begin:
    ///
    ///     for change in changes {
    ///         old.replaceSubrange(change.position..<change.position + change.removedCount, with: new[change.inserted])
    ///     }
    ///
    /// Takes time proportional to the length of the lists. If items have moved relative to others, the changes are searched in
    /// quadratic time, up to a limit.
    ///
    /// - Parameters:
    ///   - isEqual: True if two items with the same identity look the same. Other items are replaced.
    static func between<Item, ID: Hashable>(
        _ old: [Item], _ new: [Item], id: (Item) -> ID, isEqual: (Item, Item) -> Bool
    ) -> [ListChange] {
        func isSame(_ one: Item, _ other: Item) -> Bool { id(one) == id(other) && isEqual(one, other) }
        let common = min(old.count, new.count)
        let prefix = (0..<common).first { !isSame(old[$0], new[$0]) } ?? common
        let rest = common - prefix
        let suffix = (0..<rest).first { !isSame(old[old.count - 1 - $0], new[new.count - 1 - $0]) } ?? rest
        let (oldPart, newPart) = (prefix..<old.count - suffix, prefix..<new.count - suffix)
        if oldPart.isEmpty && newPart.isEmpty { return [] }
        if let changes = withoutMoves(old, new, oldPart, newPart, id, isEqual) { return changes }
        guard oldPart.count + newPart.count <= searchLimit else {
            return [ListChange(position: prefix, removedCount: oldPart.count, inserted: newPart)]
        }
        let difference = new[newPart].difference(from: old[oldPart], by: isSame)
        return changes(difference, from: oldPart, to: newPart)
    }

    /// Returns the changes between two parts, in linear time. Returns nil if an item has moved relative to others, or if two
    /// items of one list have the same identity.
    private static func withoutMoves<Item, ID: Hashable>(
        _ old: [Item], _ new: [Item], _ oldPart: Range<Int>, _ newPart: Range<Int>, _ id: (Item) -> ID,
        _ isEqual: (Item, Item) -> Bool
    ) -> [ListChange]? {
        let (oldIDs, newIDs) = (Set(old[oldPart].map(id)), Set(new[newPart].map(id)))
        guard oldIDs.count == oldPart.count, newIDs.count == newPart.count else { return nil }
        var changes: [ListChange] = []
        var (position, index) = (oldPart.lowerBound, newPart.lowerBound)
        while position < oldPart.upperBound || index < newPart.upperBound {
            let (start, first) = (position, index)
            while true {
                if position < oldPart.upperBound, !newIDs.contains(id(old[position])) {
                    position += 1
                } else if index < newPart.upperBound, !oldIDs.contains(id(new[index])) {
                    index += 1
                } else if position < oldPart.upperBound, index < newPart.upperBound,
                    id(old[position]) == id(new[index]), !isEqual(old[position], new[index])
                {
                    (position, index) = (position + 1, index + 1)
                } else {
                    break
                }
            }
            if position > start || index > first {
                changes.append(ListChange(position: start, removedCount: position - start, inserted: first..<index))
            } else if position < oldPart.upperBound, index < newPart.upperBound, id(old[position]) == id(new[index]) {
                (position, index) = (position + 1, index + 1)
            } else {
                return nil
            }
        }
        return changes.reversed()
    }

    /// Joins the single removals and insertions of a difference to changes of whole ranges.
    private static func changes<Item>(
        _ difference: CollectionDifference<Item>, from old: Range<Int>, to new: Range<Int>
    ) -> [ListChange] {
        let removed = Set(difference.removals.map { $0.position + old.lowerBound })
        let inserted = Set(difference.insertions.map { $0.position + new.lowerBound })
        var changes: [ListChange] = []
        var (position, index) = (old.lowerBound, new.lowerBound)
        while position < old.upperBound || index < new.upperBound {
            let (start, first) = (position, index)
            while removed.contains(position) { position += 1 }
            while inserted.contains(index) { index += 1 }
            if position > start || index > first {
                changes.append(
                    ListChange(position: start, removedCount: position - start, inserted: first..<index))
            } else {
                (position, index) = (position + 1, index + 1)
            }
        }
        return changes.reversed()
    }
}

extension CollectionDifference.Change {
    /// The position of the item in the old or the new list.
    fileprivate var position: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
