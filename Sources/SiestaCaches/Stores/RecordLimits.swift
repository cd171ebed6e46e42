/// The limits of a store, which evicts records if a limit is exceeded.
public struct RecordLimits: Equatable, Sendable {
    /// The maximum total size of the records, in bytes; nil for no limit.
    public var bytes: Int?
    /// The maximum number of records; nil for no limit.
    public var entries: Int?

    /// Creates limits. Nil means no limit.
    public init(bytes: Int? = nil, entries: Int? = nil) {
        self.bytes = bytes
        self.entries = entries
    }

    /// Returns true if `usage` is within the limits.
    public func allow(_ usage: RecordUsage) -> Bool {
        usage.bytes <= bytes ?? .max && usage.entries <= entries ?? .max
    }

    /// A record in a store that counts its records itself.
    package struct Candidate<Use: Comparable> {
        package var key: RecordKey
        package var bytes: Int
        package var lastUse: Use

        package init(key: RecordKey, bytes: Int, lastUse: Use) {
            (self.key, self.bytes, self.lastUse) = (key, bytes, lastUse)
        }
    }

    /// Returns the least recently used candidates that a store must evict to meet the limits.
    ///
    /// The eviction frees an eighth of the limits, so that a full store need not count its records at every write. The
    /// most recently used record is kept if it alone meets the limits.
    package func surplus<Use>(of candidates: [Candidate<Use>]) -> [Candidate<Use>] {
        var rest = RecordUsage(of: candidates)
        guard !allow(rest) else { return [] }
        let goal = RecordLimits(bytes: bytes.map { $0 - $0 / 8 }, entries: entries.map { $0 - $0 / 8 })
        return Array(
            candidates.sorted { $0.lastUse < $1.lastUse }.prefix { candidate in
                guard !goal.allow(rest), rest.entries > 1 || !allow(rest) else { return false }
                rest.entries -= 1
                rest.bytes -= candidate.size(among: candidates.count)
                return true
            })
    }
}

extension RecordLimits.Candidate {
    /// The size for sums of `count` sizes. Damaged or hostile records can have any size, and the sum must not overflow.
    fileprivate func size(among count: Int) -> Int { min(bytes, .max / 2 / max(1, count)) }
}

extension RecordUsage {
    /// Adds up the sizes of candidates.
    package init<Use>(of candidates: [RecordLimits.Candidate<Use>]) {
        self.init(entries: candidates.count, bytes: candidates.reduce(0) { $0 + $1.size(among: candidates.count) })
    }
}
