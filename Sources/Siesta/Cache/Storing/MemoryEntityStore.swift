public import Foundation

/// A store in memory, within limits. It keeps entities for as long as it lives, also of resources that were dropped or
/// wiped.
public final class MemoryEntityStore: EntityStore {
    fileprivate struct Record: Sendable {
        var data: Data
        var lastUse: Int
    }

    fileprivate struct State: Sendable {
        var records: [EntityStoreKey: Record] = [:]
        var usage = EntityStoreUsage()
        var uses = 0
        /// Data that was replaced or removed: it may be the app's, and is released without the lock.
        var dropped: [Data] = []
    }

    private let limits: EntityStoreLimits
    private let state = Locked(State())

    /// Creates an empty store.
    public init(limits: EntityStoreLimits = EntityStoreLimits()) {
        self.limits = limits
    }

    /// Says that it is memory.
    public var name: String { "in memory" }

    /// The records of those of `keys` that have one.
    public func read(_ keys: [EntityStoreKey]) async throws -> [EntityStoreKey: Data] { readSynchronously(keys) }

    /// The records of those of `keys` that have one.
    public func readSynchronously(_ keys: [EntityStoreKey]) -> [EntityStoreKey: Data] {
        state.withLock { state in
            var found: [EntityStoreKey: Data] = [:]
            for key in keys { found[key] = state.use(key) }
            return found
        }
    }

    /// Makes the changes, all at once for whoever reads.
    public func apply(_ changes: [EntityStoreChange]) async throws {
        _ = state.withLock { state in
            for change in changes { state.apply(change) }
            state.keep(to: limits)
            return exchange(&state.dropped, with: [])
        }
    }

    /// Does nothing: memory outlasts nothing.
    public func flush() async throws {}

    /// How much is stored.
    public func usage() async throws -> EntityStoreUsage { state.withLock { $0.usage } }

    /// The keys of all records.
    public func allKeys() async throws -> [EntityStoreKey] { state.withLock { Array($0.records.keys) } }

    /// Does nothing: there is never anything to give back.
    public func compact() async throws {}
}

extension MemoryEntityStore.State {
    fileprivate mutating func use(_ key: EntityStoreKey) -> Data? {
        uses += 1
        records[key]?.lastUse = uses
        return records[key]?.data
    }

    fileprivate mutating func apply(_ change: EntityStoreChange) {
        switch change {
        case .write(let key, let data): write(data, key)
        case .update(let key, let old, let new):
            guard records[key]?.data == old else { return }
            if let new { write(new, key) } else { remove(key) }
        case .remove(let key): remove(key)
        case .removePartition(let partition):
            for key in records.keys where key.partition == partition { remove(key) }
        case .removeAll: for key in records.keys { remove(key) }
        }
    }

    private mutating func write(_ data: Data, _ key: EntityStoreKey) {
        remove(key)
        uses += 1
        records[key] = .init(data: data, lastUse: uses)
        usage.entries += 1
        usage.bytes += data.count
    }

    private mutating func remove(_ key: EntityStoreKey) {
        guard let old = records.removeValue(forKey: key) else { return }
        usage.entries -= 1
        usage.bytes -= old.data.count
        dropped.append(old.data)
    }

    fileprivate mutating func keep(to limits: EntityStoreLimits) {
        guard !limits.allow(usage) else { return }
        let candidates = records.map { key, record in
            EntityStoreLimits.Candidate(key: key, bytes: record.data.count, lastUse: record.lastUse)
        }
        for surplus in limits.surplus(of: candidates) { remove(surplus.key) }
    }
}
