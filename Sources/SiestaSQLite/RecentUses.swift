#if SQLite
import Siesta

/// The keys that were read since uses were last written to the database, in the order of their last use.
struct RecentUses: Sendable {
    private var keys: [EntityStoreKey] = []
    /// The maximum number of distinct keys kept. The list may grow to twice as many before the oldest are dropped.
    private static let limit = 32_768

    mutating func note(_ used: [EntityStoreKey]) {
        keys += used
        if keys.count > 2 * Self.limit { keys = Array(distinct().suffix(Self.limit)) }
    }

    /// Returns each key once, the most recently used last, and forgets them all.
    mutating func take() -> [EntityStoreKey] {
        defer { keys = [] }
        return distinct()
    }

    private func distinct() -> [EntityStoreKey] {
        guard keys.count > 1 else { return keys }
        var seen: Set<EntityStoreKey> = []
        return keys.reversed().filter { seen.insert($0).inserted }.reversed()
    }
}
#endif
