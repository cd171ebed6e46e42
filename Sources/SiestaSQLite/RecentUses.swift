#if SQLite
import SiestaCaches

/// The keys of the reads since the last write of uses to the database, in the order of their last use.
struct RecentUses: Sendable {
    private var keys: [RecordKey] = []
    /// The maximum number of distinct keys that are kept. The list may grow to twice this number before the oldest keys
    /// are dropped.
    private static let limit = 32_768

    mutating func note(_ used: [RecordKey]) {
        keys += used
        if keys.count > 2 * Self.limit { keys = Array(distinct().suffix(Self.limit)) }
    }

    /// Returns the keys without duplicates, the most recently used last, and removes them.
    mutating func take() -> [RecordKey] {
        defer { keys = [] }
        return distinct()
    }

    private func distinct() -> [RecordKey] {
        guard keys.count > 1 else { return keys }
        var seen: Set<RecordKey> = []
        return keys.reversed().filter { seen.insert($0).inserted }.reversed()
    }
}
#endif
