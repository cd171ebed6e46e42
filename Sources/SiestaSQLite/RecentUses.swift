#if SQLite
import Siesta

/// The keys that were read since uses were last written down, in the order of their last use.
struct RecentUses: Sendable {
    private var keys: [EntityStoreKey] = []
    /// As many as can be noted twice over; beyond that the oldest are forgotten.
    private static let limit = 32_768

    mutating func note(_ used: [EntityStoreKey]) {
        keys += used
        if keys.count > 2 * Self.limit { keys = Array(distinct().suffix(Self.limit)) }
    }

    /// Each key once, the one used last at the end; they count as written down from now on.
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
