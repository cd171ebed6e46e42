/// A dictionary that keeps the values that were used last, up to a limit for the sum of their costs. Pure.
///
/// Every function takes constant time on average. Values that leave are kept until ``takeRemoved()``, because their release
/// may run code of the app, which may use the cache again.
struct CostLimitedCache<Key: Hashable, Value> {
    private struct Node {
        let key: Key
        var value: Value
        var cost: Int
        var newer: Int?
        var older: Int?
    }

    /// The nodes, and the positions that are free.
    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var positions: [Key: Int] = [:]
    private var (newest, oldest): (Int?, Int?)
    private var removed: [(key: Key, value: Value)] = []

    /// The sum of the costs of all values.
    private(set) var cost = 0
    /// The number of values that were removed to make room.
    private(set) var evictionCount = 0

    /// The greatest sum of costs.
    var limit: Int { didSet { trim(to: limit) } }

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of values.
    var count: Int { positions.count }

    /// Returns the value of a key, which becomes the value that was used last.
    mutating func value(for key: Key) -> Value? {
        guard let position = positions[key] else { return nil }
        unlink(position)
        link(position)
        return nodes[position]?.value
    }

    /// Sets the value of a key, and removes the oldest values until the limit holds. A value whose cost exceeds the limit is
    /// not kept.
    mutating func set(_ value: Value, for key: Key, cost newCost: Int) {
        remove(key)
        guard newCost <= limit else { return removed.append((key, value)) }
        trim(to: max(0, limit) - newCost)
        let position = free.popLast() ?? nodes.count
        if position == nodes.count { nodes.append(nil) }
        nodes[position] = Node(key: key, value: value, cost: newCost)
        positions[key] = position
        cost += newCost
        link(position)
    }

    /// Removes a value.
    mutating func remove(_ key: Key) {
        guard let position = positions.removeValue(forKey: key) else { return }
        unlink(position)
        if let node = nodes[position] {
            cost -= node.cost
            removed.append((node.key, node.value))
        }
        nodes[position] = nil
        free.append(position)
    }

    /// Removes the values for which the condition holds, in linear time.
    mutating func removeAll(where isRemoved: (Key, Value) -> Bool) {
        for case let node? in nodes where isRemoved(node.key, node.value) { remove(node.key) }
    }

    /// Removes all values.
    mutating func removeAll() {
        removed += nodes.compactMap { node in node.map { ($0.key, $0.value) } }
        (nodes, free, positions, newest, oldest, cost) = ([], [], [:], nil, nil, 0)
    }

    /// Returns the keys and values that have left the cache since the last call. The caller releases them.
    mutating func takeRemoved() -> [(key: Key, value: Value)] {
        let result = removed
        removed = []
        return result
    }

    private mutating func trim(to limit: Int) {
        while cost > max(0, limit), let position = oldest, let key = nodes[position]?.key {
            remove(key)
            evictionCount += 1
        }
    }

    private mutating func unlink(_ position: Int) {
        guard let node = nodes[position] else { return }
        if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
        if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
    }

    private mutating func link(_ position: Int) {
        nodes[position]?.newer = nil
        nodes[position]?.older = newest
        if let newest { nodes[newest]?.newer = position }
        newest = position
        oldest = oldest ?? position
    }
}
