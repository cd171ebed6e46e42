/// How much a store may hold, and who has to go if it is too much. Pure.
public struct EntityStoreLimits: Hashable, Sendable {
    /// The sum of the records' sizes that may be reached; nil for any.
    public var bytes: Int?
    /// The number of records that may be reached; nil for any.
    public var entries: Int?

    /// Creates limits; nil stands for none.
    public init(bytes: Int? = nil, entries: Int? = nil) {
        self.bytes = bytes
        self.entries = entries
    }

    /// Whether `usage` is within the limits.
    public func allow(_ usage: EntityStoreUsage) -> Bool {
        usage.bytes <= bytes ?? .max && usage.entries <= entries ?? .max
    }

    /// A record as a store that counts by itself knows it.
    package struct Candidate<Use: Comparable> {
        package var key: EntityStoreKey
        package var bytes: Int
        package var lastUse: Use

        package init(key: EntityStoreKey, bytes: Int, lastUse: Use) {
            (self.key, self.bytes, self.lastUse) = (key, bytes, lastUse)
        }
    }

    /// The least recently used of `candidates`, so many that the rest is within the limits.
    ///
    /// An eighth more than that goes, so that a full store need not count at every write; but never the one used last,
    /// as long as that is within the limits by itself.
    package func surplus<Use>(of candidates: [Candidate<Use>]) -> [Candidate<Use>] {
        var rest = EntityStoreUsage(entries: candidates.count, bytes: candidates.reduce(0) { $0 + $1.bytes })
        guard !allow(rest) else { return [] }
        let goal = EntityStoreLimits(bytes: bytes.map { $0 - $0 / 8 }, entries: entries.map { $0 - $0 / 8 })
        return Array(
            candidates.sorted { $0.lastUse < $1.lastUse }.prefix { candidate in
                guard !goal.allow(rest), rest.entries > 1 || !allow(rest) else { return false }
                rest.entries -= 1
                rest.bytes -= candidate.bytes
                return true
            })
    }
}
